import { abort } from '../../events/decisions/abort.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { PostActing } from '../../events/post-acting.ts';
import type { Reading } from './dialect.ts';
import { readAction, warnOfNothing } from './read-action.ts';
import { recordField } from './wire/fields.ts';
import { fromWireResult, toWireResult } from './wire/wire-result.ts';
import { wireParams } from './wire/wire-scope.ts';

/** Returns the params of `hook.after_tool` as JSON. `duration` is in nanoseconds. */
export function afterToolParams(event: PostActing): string {
  return wireParams(event, 'turn.tool.after', {
    tool: event.toolCall.name,
    arguments: event.toolCall.input,
    tool_call_id: event.toolCall.id,
    result: toWireResult(event.result),
    duration: Math.round(event.durationMs * 1_000_000),
  });
}

/** Applies the reply. The payload is in `result.result`, as in the original, or in `result`. */
export function takeAfterTool(event: PostActing, reply: unknown, reading: Reading): PostActing | undefined {
  const { action, reason } = readAction(reply, reading);
  if (action === 'abort_turn' || action === 'hard_abort') {
    return abort(event, reason ?? 'hook requested turn abort', { rollback: action === 'hard_abort' });
  }
  if (action === 'unknown') return undefined;
  if (action !== 'continue' && action !== 'modify') {
    reading.diagnose('no-effect', `answered after_tool with ${action}, which has no effect there.`);
    return undefined;
  }
  const outer = recordField(reply, 'result');
  const result = recordField(outer, 'result') ?? outer;
  if (!result) {
    warnOfNothing(reply, ['result'], reading);
    return undefined;
  }
  const next = fromWireResult(result, reading.dialect.reply === 'merge' ? event.result : undefined);
  return JSON.stringify(next) === JSON.stringify(event.result) ? undefined : modify(event, { result: next });
}
