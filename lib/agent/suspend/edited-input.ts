import type { JsonObject } from '../../events/values/json-value.ts';
import { prepareCall } from '../../pipeline/calls/prepare-call.ts';
import { Vault } from '../../pipeline/calls/vault.ts';
import type { Tool } from '../../pipeline/define/tool.ts';
import type { WaitingCall } from './waiting-call.ts';

type EditedOf = Pick<WaitingCall, 'toolCallId' | 'tool' | 'input'>;

/**
 * Returns why an edited input is invalid for its tool, or `undefined`. The call would fail, and the answer would be lost. If the original input is
 * invalid too, the edited one is accepted, because hooks may still complete it. An input of an unknown tool is accepted.
 */
export async function editedInputError(
  tools: readonly Tool[],
  call: EditedOf,
  input: JsonObject,
): Promise<string | undefined> {
  const tool = tools.find(({ name }) => name === call.tool);
  const misfit = tool && (await misfitOf(tool, call, input));
  if (!tool || misfit === undefined || (await misfitOf(tool, call, call.input)) !== undefined) return undefined;
  return `The edited input is invalid; the call is still pending. ${misfit}`;
}

async function misfitOf(tool: Tool, { toolCallId, tool: name }: EditedOf, input: JsonObject) {
  const prepared = await prepareCall({ id: toolCallId, name, input }, tool, [name], new Vault());
  return 'refused' in prepared ? prepared.refused : undefined;
}
