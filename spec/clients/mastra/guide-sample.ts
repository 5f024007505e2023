import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import type { MastraCompositeStore } from '@mastra/core/storage';
import type { Tool } from '@mastra/core/tools';
import { type HookedMastraOptions, hookedMastra } from '../../../lib/adapters/mastra/index.ts';
import { createPipeline, defineHook, verdict } from '../../../lib/index.ts';
import type { ScriptedLanguageModel } from '../ai-sdk/scripted-language-model.ts';

type Store = NonNullable<HookedMastraOptions['pendingCalls']>;

/** The code in the guide. */
export async function guideSample(
  given: ScriptedLanguageModel,
  refund: Tool,
  storage: MastraCompositeStore,
  pendingCalls: Store,
): Promise<string> {
  const guard = defineHook({
    name: 'guard',
    approve: ({ toolCall }) => (toolCall.name === 'refund' ? verdict.suspend('Refund this order?') : verdict.allow()),
  });
  const parts = { model: given, tools: { refund } };
  const { model, tools, hookedAgent } = hookedMastra(parts, createPipeline([guard]), {
    agent: 'support',
    pendingCalls,
  });
  const support = new Agent({ id: 'support', name: 'Support', instructions: 'Be kind.', model, tools });
  new Mastra({ agents: { support }, storage, logger: false });
  const agent = hookedAgent(support);
  const asked = await agent.generate('Where is my money?');
  if (asked.finishReason !== 'suspended') return asked.text;
  const { toolCallId } = asked.suspendPayload;
  return (await agent.approveToolCallGenerate({ runId: asked.runId ?? '', toolCallId })).text;
}
