import { bareContract } from '../../../lib/testing/index.ts';
import { bareHosts } from './bare-hosts.ts';

for (const host of bareHosts)
  describe(`${host.name} with passive hooks`, () => {
    for (const { title, check } of bareContract(host, { runs: 25 })) it(title, check);
  });
