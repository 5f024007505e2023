import { loopContract } from '../../../../lib/testing/index.ts';
import { langChainHost } from '../langchain-host.ts';

for (const how of ['stream', 'streamEvents'] as const) {
  const host = langChainHost(how);
  describe(`hooks around ${host.name}`, () => {
    for (const { title, cannot, check } of loopContract(host)) {
      if (cannot === undefined) it(title, check);
      else it(`${title}: not here, for ${cannot}`);
    }
  });
}
