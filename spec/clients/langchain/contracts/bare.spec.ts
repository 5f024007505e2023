import { bareContract } from '../../../../lib/testing/index.ts';
import { bareLangChain } from './bare-host.ts';

describe('LangChain with hooks that ask for nothing', () => {
  for (const { title, check } of bareContract(bareLangChain, { runs: 8 })) it(title, check);
});
