import type { Note } from '../decisions/note.ts';
import { type JsonObject, jsonObjectSchema } from '../values/json-value.ts';
import { processWide } from '../values/process-wide.ts';
import { toJson } from '../values/to-json.ts';
import type { ToolCall } from './tool-call.ts';

/** What an answer has made of a call: it is judged again with the new input. */
export interface EditedCall {
  /** The frozen call that was shown. */
  readonly shown: ToolCall;
  /** The same call with the input of the answer. */
  readonly edited: ToolCall;
  /** Who has edited it. */
  readonly note: readonly Note[];
}

const edits = processWide('edits', () => new WeakMap<ToolCall, EditedCall>());

/** The edit that a frozen call comes from; nothing where no answer has edited it. */
export function editOf(call: ToolCall): EditedCall | undefined {
  return edits.get(call);
}

/** Notes of which edit a frozen call comes. */
export function markEdited(call: ToolCall, edit: EditedCall): void {
  edits.set(call, edit);
}

/** An edited input as JSON data of its own; nothing where it is no JSON object. */
export function readInput(input: unknown): JsonObject | undefined {
  try {
    return jsonObjectSchema.safeParse(toJson(input, 'input')).data;
  } catch {
    return undefined;
  }
}
