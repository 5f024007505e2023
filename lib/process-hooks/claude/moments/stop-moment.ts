import { map, type Observable } from 'rxjs';
import { finish } from '../../../events/decisions/finish.ts';
import { modify } from '../../../events/decisions/modify.ts';
import { retry } from '../../../events/decisions/retry.ts';
import { textOf, toolCallsOf, userMessage } from '../../../events/parts/messages.ts';
import type { PostReasoning } from '../../../events/post-reasoning.ts';
import type { HookContext } from '../../../pipeline/define/hook-context.ts';
import type { ClaudeHooksSettings } from '../claude-options.ts';
import type { ClaudeSession } from '../claude-session.ts';
import { withMessages } from './with-messages.ts';

/**
 * Stop, or SubagentStop in a sub-agent: the model answered without tool calls. A hook that blocks makes it continue with the reason. After `stopCap`
 * blocks in a row the answer is final, with a diagnostic. An answer with tool calls resets the count.
 */
export function createStopMoment(session: ClaudeSession, settings: ClaudeHooksSettings) {
  const blocked = new WeakMap<object, number>();
  return (event: PostReasoning, context: HookContext): Observable<PostReasoning> | undefined => {
    const name = event.run.depth > 0 ? 'SubagentStop' : 'Stop';
    if (toolCallsOf(event.message).length > 0) {
      blocked.delete(event.run);
      return undefined;
    }
    if (event.purpose === 'summary' || !session.has(name)) return undefined;
    const count = blocked.get(event.run) ?? 0;
    const own = { stop_hook_active: count > 0, stop_hook_count: count, last_assistant_message: textOf(event.message) };
    // Scripts read the answer in the transcript.
    const { transcript, signal, log, ask } = context;
    const messages = transcript.at(-1) === event.message ? transcript : [...transcript, event.message];
    return session.fire(name, event.run.agent, own, event, { transcript: messages, signal, log, ask }).pipe(
      map((folded) => {
        const { stop, block, contexts } = folded;
        const noted = withMessages(event, folded);
        if (stop !== undefined) return finish(modify(noted, {}, { note: { code: 'stopped', message: stop } }));
        const reasons = [...(block === undefined ? [] : [block]), ...contexts];
        if (reasons.length === 0) return noted;
        if (settings.stopCap > 0 && count >= settings.stopCap) {
          const message = `continued the run ${count} times in a row; the answer is now final. A script should check stop_hook_active.`;
          session.diagnose({ code: 'stop-cap', event: name, message }, context.log);
          return noted;
        }
        blocked.set(event.run, count + 1);
        return retry(noted, [userMessage(reasons.join('\n\n'))]);
      }),
    );
  };
}
