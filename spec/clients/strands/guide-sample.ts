import * as strands from '@strands-agents/sdk';
import { hookline } from '../../../lib/adapters/strands/index.ts';
import { createPipeline, defineHook, verdict } from '../../../lib/index.ts';
import type { PendingCallStore } from '../../../lib/loops/index.ts';

/** The code in the guide. */
export async function guideSample(
  model: strands.Model,
  refund: strands.Tool,
  pendingCalls: PendingCallStore,
): Promise<string> {
  const guard = defineHook({
    name: 'guard',
    approve: ({ toolCall }) => (toolCall.name === 'refund' ? verdict.suspend('Refund this order?') : verdict.allow()),
  });
  const hooks = hookline(strands, createPipeline([guard]), { agent: 'support', pendingCalls });
  const agent = new strands.Agent({ model, tools: [refund], plugins: [hooks], printer: false });
  const asked = await agent.invoke('Where is my money?');
  if (asked.stopReason !== 'interrupt') return asked.toString();
  const answers = (asked.interrupts ?? []).map(
    ({ id }) => new strands.InterruptResponseContent({ interruptId: id, response: { approved: true } }),
  );
  return (await agent.invoke(answers)).toString();
}
