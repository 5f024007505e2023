import { bareContract } from '../../../../lib/testing/index.ts';
import { bareMastra } from './bare-host.ts';

describe('Mastra with passive hooks', () => {
  for (const { title, check } of bareContract(bareMastra, { runs: 10 })) it(title, check);
});
