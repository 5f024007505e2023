import type { JsonObject } from '../../events/values/json-value.ts';
import { prepareCall } from '../../pipeline/calls/prepare-call.ts';
import { Vault } from '../../pipeline/calls/vault.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { refuse } from '../http/refuse.ts';
import type { WaitingCall } from './suspended-run.ts';

/** What is looked at of a call that waits. */
type EditedOf = Pick<WaitingCall, 'toolCallId' | 'tool' | 'input'>;

/**
 * Refuses (422) an edited input that its tool would not take: the call would fail, and the answer be used up. Where the input that was shown
 * does not fit either, hooks may still complete it, and only the run can tell.
 */
export async function checkEdited(tools: readonly Tool[], call: EditedOf, input: JsonObject): Promise<void> {
  const tool = tools.find(({ name }) => name === call.tool);
  if (!tool) return;
  const misfit = await misfitOf(tool, call, input);
  if (misfit === undefined || (await misfitOf(tool, call, call.input)) !== undefined) return;
  throw refuse(422, `The edited input does not fit, and the call still waits. ${misfit}`);
}

async function misfitOf(tool: Tool, { toolCallId, tool: name }: EditedOf, input: JsonObject) {
  const prepared = await prepareCall({ id: toolCallId, name, input }, tool, [name], new Vault());
  return 'refused' in prepared ? prepared.refused : undefined;
}
