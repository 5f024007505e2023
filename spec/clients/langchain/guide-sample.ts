import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Command, MemorySaver } from '@langchain/langgraph';
import * as langchain from 'langchain';
import { hookedAgent, hookline } from '../../../lib/adapters/langchain/index.ts';
import { createPipeline, defineHook, verdict } from '../../../lib/index.ts';
import type { PendingCallStore } from '../../../lib/loops/index.ts';

/** The code in the guide. */
export async function guideSample(
  model: BaseChatModel,
  refund: langchain.StructuredTool,
  pendingCalls: PendingCallStore,
) {
  const guard = defineHook({
    name: 'guard',
    approve: ({ toolCall }) => (toolCall.name === 'refund' ? verdict.suspend('Refund this order?') : verdict.allow()),
  });
  const modules = { ...langchain, BaseChatModel, Command };
  const hooks = hookline(modules, createPipeline([guard]), { agent: 'support', pendingCalls });
  const agent = hookedAgent(
    langchain.createAgent({ model, tools: [refund], middleware: [hooks], checkpointer: new MemorySaver() }),
  );
  const config = { configurable: { thread_id: 'ann' } };
  const asked = await agent.invoke({ messages: [new langchain.HumanMessage('Where is my money?')] }, config);
  if (!('__interrupt__' in asked)) return asked.messages.at(-1)?.text;
  const told = await agent.invoke(new Command({ resume: { approved: true } }), config);
  return told.messages.at(-1)?.text;
}
