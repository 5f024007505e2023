import { loopContract } from '../../../../lib/testing/index.ts';
import { langChainHost } from '../langchain-host.ts';

for (const how of ['stream', 'streamEvents'] as const) {
  const host = langChainHost(how);
  describe(`hooks on ${host.name}`, () => {
    for (const { title, cannot, check } of loopContract(host)) {
      if (cannot === undefined) it(title, check);
      else it(`${title}: not supported, because ${cannot}`);
    }
  });
}
