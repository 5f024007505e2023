import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import * as langchain from 'langchain';
import { hookedAgent, hookline } from '../../../lib/adapters/langchain/index.ts';
import type { BenchResult } from '../../bench/result.ts';
import { against, idleHooks, STEPS } from './contenders.ts';

class CallingModel extends BaseChatModel {
  #asked = 0;

  _llmType(): string {
    return 'bench';
  }

  override bindTools(): never {
    return this as never;
  }

  override async _generate() {
    this.#asked += 1;
    const calls = this.#asked > STEPS ? [] : [{ id: `c${this.#asked}`, name: 'look', args: { path: '.' } }];
    const message = new AIMessage({ content: 'Let me look.', tool_calls: calls } as never);
    return { generations: [{ text: 'Let me look.', message }] };
  }
}

const look = langchain.tool(() => 'seen', {
  name: 'look',
  description: 'Looks.',
  schema: { type: 'object', properties: { path: { type: 'string' } } } as never,
});

/** A LangChain agent with ten no-op hooks, compared with the agent alone. */
export async function langChainLoopBench(): Promise<BenchResult[]> {
  const hooks = hookline({ ...langchain, BaseChatModel, Command }, idleHooks(), { agent: 'bench' });
  const agent = (middleware: readonly object[]) =>
    langchain.createAgent({ model: new CallingModel({}), tools: [look], middleware } as never);
  const run = async (made: ReturnType<typeof agent>): Promise<void> => {
    const input = { messages: [{ role: 'user', content: 'Go.' }] };
    const { messages } = await made.invoke(input as never, { recursionLimit: 1_000 });
    if (messages.length !== 2 * STEPS + 2) throw new Error(`${messages.length} messages`);
  };
  return [
    await against(
      { host: 'an agent of LangChain', most: 2 },
      () => run(agent([])),
      () => run(hookedAgent(agent([hooks]))),
    ),
  ];
}
