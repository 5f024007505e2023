import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** PicoClaw reads nothing after a line of more than 1 MiB, including its line end. */
const MOST_BYTES = 1_000_000;

/** Returns the answer to a request that was not evaluated, or whose answer cannot be sent. */
export type Refuse = (why: string, params: JsonObject) => JsonObject;

/** Returns the line with the answer to a request. If PicoClaw cannot receive the answer, the line denies. */
export function replyLine(id: unknown, result: JsonObject, refuse: Refuse, params: JsonObject): string {
  const whole = written(id, { result });
  if ('line' in whole) return whole.line;
  const why = `hookline cannot send its answer to PicoClaw: ${whole.issue}`;
  const { action } = result;
  if (action === 'abort_turn' || action === 'hard_abort') return lineOf(id, { result: { action, reason: why } });
  const { meta = {}, tool = '' } = params;
  // Omitted fields are cleared for the next hooks, so as much as possible is returned.
  for (const kept of [params, { meta, tool }]) {
    const refused = written(id, { result: refuse(why, kept) });
    if ('line' in refused) return refused.line;
  }
  return lineOf(id, { result: refuse(why, {}) });
}

/** Returns the line of a short answer. */
export function lineOf(id: unknown, body: JsonObject): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, ...body })}\n`;
}

function written(id: unknown, body: JsonObject): { readonly line: string } | { readonly issue: string } {
  try {
    const line = lineOf(id, body);
    const bytes = Buffer.byteLength(line);
    if (bytes <= MOST_BYTES) return { line };
    return { issue: `it has ${bytes} bytes; the limit of a line is ${MOST_BYTES}.` };
  } catch (thrown) {
    return { issue: `it is not JSON: ${messageOf(thrown)}` };
  }
}
