import { memoryLinks } from './memory-link.ts';
import { serverLinkContract } from './server-link-contract.ts';

describe('a link of servers in one process', () => {
  const links = memoryLinks();
  serverLinkContract(() => ({
    ...links,
    async interrupt() {
      links.cut();
      links.mend();
    },
  }));
});
