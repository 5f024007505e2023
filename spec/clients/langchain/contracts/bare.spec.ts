import { bareContract } from '../../../../lib/testing/index.ts';
import { bareLangChain } from './bare-host.ts';

describe('LangChain with passive hooks', () => {
  for (const { title, check } of bareContract(bareLangChain, { runs: 8 })) it(title, check);
});
