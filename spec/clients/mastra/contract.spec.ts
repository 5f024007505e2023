import { loopContract } from '../../../lib/testing/index.ts';
import { mastraHost } from './mastra-host.ts';

describe(`hooks on ${mastraHost.name}`, () => {
  for (const { title, cannot, check } of loopContract(mastraHost)) {
    if (cannot === undefined) it(title, check);
    else it(`${title}: not supported, because ${cannot}`);
  }
});
