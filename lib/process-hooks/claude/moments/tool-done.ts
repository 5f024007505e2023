import { map, type Observable } from 'rxjs';
import { abort } from '../../../events/decisions/abort.ts';
import { modify } from '../../../events/decisions/modify.ts';
import type { PostActing } from '../../../events/post-acting.ts';
import { toTheirs } from '../../../permission-rules/action/tool-table.ts';
import type { HookContext } from '../../../pipeline/define/hook-context.ts';
import type { ClaudeHooksSettings } from '../claude-options.ts';
import type { ClaudeSession } from '../claude-session.ts';
import { withMessages } from './with-messages.ts';

/** PostToolUse, or PostToolUseFailure: exactly one for a call that ran, none otherwise. */
export function createToolDone(
  session: ClaudeSession,
  settings: ClaudeHooksSettings,
  takeContexts: (run: object, toolCallId: string) => readonly string[],
) {
  return (event: PostActing, context: HookContext): Observable<PostActing> | PostActing => {
    const { toolCall, result, outcome, durationMs } = event;
    const before = takeContexts(event.run, toolCall.id);
    const ran = outcome === 'executed' || outcome === 'failed' || outcome === 'cancelled';
    const failed = result.isError || outcome !== 'executed';
    const name = failed ? 'PostToolUseFailure' : 'PostToolUse';
    if (!ran || !session.has(name)) return withTexts(event, before);
    const { as, input } = toTheirs(settings.tools, toolCall.name, toolCall.input);
    const own = {
      tool_name: as,
      tool_input: input,
      tool_use_id: toolCall.id,
      duration_ms: Math.round(durationMs),
      ...(failed
        ? { error: result.content, is_interrupt: outcome === 'cancelled' }
        : {
            tool_response:
              as === 'Bash'
                ? { stdout: result.content, stderr: '', interrupted: false, isImage: false }
                : result.content,
          }),
    };
    return session.fire(name, as, own, event, context).pipe(
      map((folded) => {
        const { stop, block, contexts, updatedOutput } = folded;
        const noted = withMessages(event, folded);
        const changed = updatedOutput
          ? modify(noted, { result: { ...result, content: toContent(updatedOutput.value) } })
          : noted;
        const withContexts = withTexts(changed, [...before, ...(block === undefined ? [] : [block]), ...contexts]);
        return stop === undefined ? withContexts : abort(withContexts, stop);
      }),
    );
  };
}

function withTexts(event: PostActing, texts: readonly string[]): PostActing {
  if (texts.length === 0) return event;
  const content = [event.result.content, ...texts].filter((text) => text !== '').join('\n\n');
  return modify(event, { result: { ...event.result, content } });
}

/** Converts the new output of a tool to text. For the shape of Bash it is the standard output. */
function toContent(value: unknown): string {
  if (typeof value === 'string') return value;
  const stdout = (value as { stdout?: unknown } | null)?.stdout;
  return typeof stdout === 'string' ? stdout : (JSON.stringify(value) ?? '');
}
