import type { JsonObject } from '../../events/values/json-value.ts';
import { prepareCall } from '../../pipeline/calls/prepare-call.ts';
import { Vault } from '../../pipeline/calls/vault.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import { refuse } from '../http/refuse.ts';
import type { WaitingCall } from './suspended-run.ts';

/** The fields of a pending call that are checked. */
type EditedOf = Pick<WaitingCall, 'toolCallId' | 'tool' | 'input'>;

/**
 * Rejects (422) an edited input that is invalid for its tool. The call would fail, and the answer would be lost. If the original input is invalid
 * too, the edited one is accepted, because hooks may still complete it.
 */
export async function checkEdited(tools: readonly Tool[], call: EditedOf, input: JsonObject): Promise<void> {
  const tool = tools.find(({ name }) => name === call.tool);
  if (!tool) return;
  const misfit = await misfitOf(tool, call, input);
  if (misfit === undefined || (await misfitOf(tool, call, call.input)) !== undefined) return;
  throw refuse(422, `The edited input is invalid; the call is still pending. ${misfit}`);
}

async function misfitOf(tool: Tool, { toolCallId, tool: name }: EditedOf, input: JsonObject) {
  const prepared = await prepareCall({ id: toolCallId, name, input }, tool, [name], new Vault());
  return 'refused' in prepared ? prepared.refused : undefined;
}
