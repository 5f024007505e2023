import { messageOf } from '../../../errors/describe-thrown.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { StreamPart } from '../language-model.ts';

const MAX_QUOTE = 200;

/**
 * Converts a 'tool-call' part. Arguments that are not a JSON object return an empty `input` and an `inputError`, which quotes up to 200 characters.
 * Missing arguments are an empty object.
 */
export function toToolCall({ toolCallId = '', toolName = '', input }: StreamPart): ToolCall {
  const call = { id: toolCallId, name: toolName };
  if (typeof input !== 'string') return { ...call, ...objectOrError(input, JSON.stringify(input) ?? 'nothing') };
  if (input.trim() === '') return { ...call, input: {} };
  try {
    return { ...call, ...objectOrError(JSON.parse(input), input) };
  } catch (error) {
    return { ...call, ...wrong(`they are not JSON (${withoutQuote(error)})`, input) };
  }
}

function objectOrError(value: unknown, text: string): Pick<ToolCall, 'input' | 'inputError'> {
  if (isObject(value)) return { input: value as JsonObject };
  return wrong(
    Array.isArray(value) ? 'they are an array' : value === null ? 'they are null' : `they are a ${typeof value}`,
    text,
  );
}

function wrong(why: string, text: string): Pick<ToolCall, 'input' | 'inputError'> {
  const quote = text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;
  return { input: {}, inputError: `The arguments must be a JSON object; ${why}: ${quote}` };
}

/** Engines quote the text in their own message, too. That quote is removed to keep the limit. */
function withoutQuote(error: unknown): string {
  const message = messageOf(error);
  return message.replace(/,? ?(\.\.\.)?"[\s\S]*$/, '').slice(0, 80);
}
