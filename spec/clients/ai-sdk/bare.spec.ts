import { bareContract } from '../../../lib/testing/index.ts';
import { bareHosts } from './bare-hosts.ts';

/** Random answers of each variant. All hosts and variants have the same. */
const RUNS = process.env['HOOKLINE_SOAK'] ? 40 : 8;

for (const host of bareHosts)
  describe(`${host.name} with passive hooks`, () => {
    for (const { title, check } of bareContract(host, { runs: RUNS })) it(title, check);
  });
