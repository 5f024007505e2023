import { bareContract } from '../../../lib/testing/index.ts';
import { bareStrands } from './bare-host.ts';

describe('Strands with passive hooks', () => {
  for (const { title, check } of bareContract(bareStrands, { runs: 15 })) it(title, check);
});
