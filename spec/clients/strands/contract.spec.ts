import { loopContract } from '../../../lib/testing/index.ts';
import { strandsHost } from './strands-host.ts';

describe(`hooks on ${strandsHost.name}`, () => {
  for (const { title, cannot, check } of loopContract(strandsHost)) {
    if (cannot === undefined) it(title, check);
    else it(`${title}: not supported, because ${cannot}`);
  }
});
