import { type Observable, of, switchMap } from 'rxjs';
import { abort } from '../../../events/abort.ts';
import { textOf, userMessage } from '../../../events/messages.ts';
import { modify } from '../../../events/modify.ts';
import type { PreCall } from '../../../events/pre-call.ts';
import { respond } from '../../../events/respond.ts';
import type { HookContext } from '../../../pipeline/hook-context.ts';
import type { ClaudeSession } from '../claude-session.ts';

/** SessionStart, when the session is new to these hooks, and UserPromptSubmit. */
export function createUserPrompt(session: ClaudeSession) {
  const known = new Set<string>();
  return (event: PreCall, context: HookContext): Observable<PreCall> | undefined => {
    const { sessionId, depth } = event.run;
    const begins = depth === 0 && !known.has(sessionId) && session.has('SessionStart');
    if (depth === 0) known.add(sessionId);
    if (!begins && !session.has('UserPromptSubmit')) return undefined;
    const started = begins ? sessionStart(session, event, context) : of(event);
    return started.pipe(
      switchMap((begun) =>
        session.has('UserPromptSubmit') && depth === 0 && !begun.decision ? submit(session, begun, context) : of(begun),
      ),
    );
  };
}

function sessionStart(session: ClaudeSession, event: PreCall, context: HookContext): Observable<PreCall> {
  const source = context.transcript.length === 0 ? 'startup' : 'resume';
  return session.fire('SessionStart', source, { source }, event, context).pipe(
    switchMap(({ stop, contexts, initialUserMessages }) => {
      if (stop !== undefined) return of(abort(event, stop));
      const added = [...contexts, ...initialUserMessages].map((text) => userMessage(text));
      return of(added.length === 0 ? event : modify(event, { messages: [...added, ...event.messages] }));
    }),
  );
}

function submit(session: ClaudeSession, event: PreCall, context: HookContext): Observable<PreCall> {
  const prompt = textOf(event.messages.findLast(({ role }) => role === 'user') ?? userMessage(''));
  return session.fire('UserPromptSubmit', '', { prompt }, event, context).pipe(
    switchMap(({ stop, block, contexts }) => {
      if (stop !== undefined) return of(abort(event, stop));
      // A prompt that is blocked is not kept.
      if (block !== undefined) return of(respond(modify(event, { messages: [] }), block));
      if (contexts.length === 0) return of(event);
      return of(modify(event, { messages: [...event.messages, ...contexts.map((text) => userMessage(text))] }));
    }),
  );
}
