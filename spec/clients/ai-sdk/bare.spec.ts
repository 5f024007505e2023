import { bareContract } from '../../../lib/testing/index.ts';
import { bareHosts } from './bare-hosts.ts';

for (const host of bareHosts)
  describe(`${host.name} with hooks that ask for nothing`, () => {
    for (const { title, check } of bareContract(host, { runs: 25 })) it(title, check);
  });
