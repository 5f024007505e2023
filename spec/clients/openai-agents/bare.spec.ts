import { bareContract } from '../../../lib/testing/index.ts';
import { bareOpenaiAgents } from './bare-host.ts';

describe('OpenAI Agents with passive hooks', () => {
  for (const { title, check } of bareContract(bareOpenaiAgents, { runs: 15 })) it(title, check);
});
