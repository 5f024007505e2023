import { Agent, type Model, Runner, setTracingDisabled, tool, Usage } from '@openai/agents-core';
import { withHooks } from '../../../lib/adapters/openai-agents/index.ts';
import type { BenchResult } from '../../bench/result.ts';
import { against, idleHooks, STEPS } from './contenders.ts';

setTracingDisabled(true);

function callingModel(): Model {
  let asked = 0;
  const content = [{ type: 'output_text', text: 'Let me look.' }];
  return {
    async getResponse() {
      asked += 1;
      const call = { type: 'function_call', callId: `c${asked}`, name: 'look', arguments: '{"path":"."}' };
      const message = { type: 'message', role: 'assistant', status: 'completed', content };
      const output = asked > STEPS ? [message] : [message, call];
      return { usage: new Usage({ requests: 1, inputTokens: 3, outputTokens: 2, totalTokens: 5 }), output } as never;
    },
    getStreamedResponse() {
      throw new Error('nothing is streamed here');
    },
  };
}

const look = tool({
  name: 'look',
  description: 'Looks.',
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: true } as never,
  strict: false,
  execute: () => 'seen',
});

/** An OpenAI Agents runner with ten no-op hooks, compared with the runner alone. */
export async function openAiAgentsLoopBench(): Promise<BenchResult[]> {
  const runner = new Runner();
  const hooked = withHooks(runner, idleHooks(), { agent: 'bench' });
  const run = async (go: Runner['run']): Promise<void> => {
    const agent = new Agent({ name: 'bench', model: callingModel(), tools: [look as never] });
    const { history } = (await go(agent as never, 'Go.', { maxTurns: 2 * STEPS })) as { history: readonly unknown[] };
    if (history.length !== 3 * STEPS + 2) throw new Error(`${history.length} items`);
  };
  return [
    await against(
      { host: 'a runner of OpenAI Agents', most: 1.7 },
      () => run(runner.run.bind(runner) as Runner['run']),
      () => run(hooked.run as Runner['run']),
    ),
  ];
}
