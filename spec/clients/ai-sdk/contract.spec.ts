import { loopContract } from '../../../lib/testing/index.ts';
import { hosts } from './ai-sdk-host.ts';

for (const host of hosts) {
  describe(`hooks on ${host.name}`, () => {
    for (const { title, cannot, check } of loopContract(host)) {
      if (cannot === undefined) it(title, check);
      else it(`${title}: not supported, because ${cannot}`);
    }
  });
}
