import type { Note } from '../decisions/note.ts';
import { type JsonObject, jsonObjectSchema } from '../values/json-value.ts';
import { processWide } from '../values/process-wide.ts';
import { toJson } from '../values/to-json.ts';
import type { ToolCall } from './tool-call.ts';

/** The edit of a call by an answer. The call is evaluated again with the new input. */
export interface EditedCall {
  /** The frozen call that was shown. */
  readonly shown: ToolCall;
  /** The same call with the input from the answer. */
  readonly edited: ToolCall;
  /** The user who edited it. */
  readonly note: readonly Note[];
}

const edits = processWide('edits', () => new WeakMap<ToolCall, EditedCall>());

/** Returns the edit that produced a frozen call, or `undefined`. */
export function editOf(call: ToolCall): EditedCall | undefined {
  return edits.get(call);
}

/** Records the edit that produced a frozen call. */
export function markEdited(call: ToolCall, edit: EditedCall): void {
  edits.set(call, edit);
}

/** Returns an edited input as a copy of JSON data, or `undefined` if it is not a JSON object. */
export function readInput(input: unknown): JsonObject | undefined {
  try {
    return jsonObjectSchema.safeParse(toJson(input, 'input')).data;
  } catch {
    return undefined;
  }
}
