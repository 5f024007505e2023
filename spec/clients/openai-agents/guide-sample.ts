import { type Agent, type Runner, RunState } from '@openai/agents-core';
import { withHooks } from '../../../lib/adapters/openai-agents/index.ts';
import { createPipeline, defineHook, verdict } from '../../../lib/index.ts';
import type { PendingCallStore } from '../../../lib/loops/index.ts';

/** The code in the guide. */
export async function guideSample(runner: Runner, agent: Agent, pendingCalls: PendingCallStore): Promise<unknown> {
  const guard = defineHook({
    name: 'guard',
    approve: ({ toolCall }) => (toolCall.name === 'refund' ? verdict.suspend('Refund this order?') : verdict.allow()),
  });
  const { run } = withHooks(runner, createPipeline([guard]), { agent: 'support', pendingCalls });
  const result = await run(agent, 'Where is my money?');
  if (result.interruptions.length === 0) return result.finalOutput;
  const saved = String(result.state);
  const state = await RunState.fromString(agent, saved);
  for (const question of state.getInterruptions()) state.approve(question);
  return (await run(agent, state)).finalOutput;
}
