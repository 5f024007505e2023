import { messageOf } from '../../../errors/describe-thrown.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** PicoClaw reads nothing any more behind a line of more than 1 MiB, its end included. */
const MOST_BYTES = 1_000_000;

/** What is answered where a request was not judged, or its answer cannot be told. */
export type Refuse = (why: string, params: JsonObject) => JsonObject;

/** The line that answers a request; an answer that PicoClaw cannot be told refuses. */
export function replyLine(id: unknown, result: JsonObject, refuse: Refuse, params: JsonObject): string {
  const whole = written(id, { result });
  if ('line' in whole) return whole.line;
  const why = `hookline cannot send its answer to PicoClaw: ${whole.issue}`;
  const { action } = result;
  if (action === 'abort_turn' || action === 'hard_abort') return lineOf(id, { result: { action, reason: why } });
  const { meta = {}, tool = '' } = params;
  // What is left out is wiped for the hooks behind, so as much as fits goes back.
  for (const kept of [params, { meta, tool }]) {
    const refused = written(id, { result: refuse(why, kept) });
    if ('line' in refused) return refused.line;
  }
  return lineOf(id, { result: refuse(why, {}) });
}

/** The line of an answer that is short. */
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
