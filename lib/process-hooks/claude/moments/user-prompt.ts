import { map, type Observable, of, switchMap } from 'rxjs';
import { abort } from '../../../events/decisions/abort.ts';
import { modify } from '../../../events/decisions/modify.ts';
import { respond } from '../../../events/decisions/respond.ts';
import { textOf, userMessage } from '../../../events/parts/messages.ts';
import type { PreCall } from '../../../events/pre-call.ts';
import type { HookContext } from '../../../pipeline/define/hook-context.ts';
import type { ClaudeSession } from '../claude-session.ts';
import { withMessages } from './with-messages.ts';

/** SessionStart if the session is new to these hooks, and UserPromptSubmit. SubagentStart in a sub-agent. */
export function createUserPrompt(session: ClaudeSession) {
  const known = new Set<string>();
  return (event: PreCall, context: HookContext): Observable<PreCall> | undefined => {
    const { sessionId, depth } = event.run;
    if (depth > 0) return session.has('SubagentStart') ? subagentStart(session, event, context) : undefined;
    const begins = !known.has(sessionId) && session.has('SessionStart');
    known.add(sessionId);
    if (!begins && !session.has('UserPromptSubmit')) return undefined;
    const started = begins ? sessionStart(session, event, context) : of(event);
    return started.pipe(
      switchMap((begun) =>
        session.has('UserPromptSubmit') && !begun.decision ? submit(session, begun, context) : of(begun),
      ),
    );
  };
}

function sessionStart(session: ClaudeSession, event: PreCall, context: HookContext): Observable<PreCall> {
  const source = context.transcript.length === 0 ? 'startup' : 'resume';
  return session.fire('SessionStart', source, { source }, event, context).pipe(
    switchMap((folded) => {
      const { stop, contexts, initialUserMessages } = folded;
      const noted = withMessages(event, folded);
      if (stop !== undefined) return of(abort(noted, stop));
      const added = [...contexts, ...initialUserMessages].map((text) => userMessage(text));
      return of(added.length === 0 ? noted : modify(noted, { messages: [...added, ...event.messages] }));
    }),
  );
}

function subagentStart(session: ClaudeSession, event: PreCall, context: HookContext): Observable<PreCall> {
  return session.fire('SubagentStart', event.run.agent, {}, event, context).pipe(
    map((folded) => {
      const noted = withMessages(event, folded);
      if (folded.stop !== undefined) return abort(noted, folded.stop);
      const added = folded.contexts.map((text) => userMessage(text));
      return added.length === 0 ? noted : modify(noted, { messages: [...event.messages, ...added] });
    }),
  );
}

function submit(session: ClaudeSession, event: PreCall, context: HookContext): Observable<PreCall> {
  const prompt = textOf(event.messages.findLast(({ role }) => role === 'user') ?? userMessage(''));
  return session.fire('UserPromptSubmit', '', { prompt }, event, context).pipe(
    switchMap((folded) => {
      const { stop, block, contexts } = folded;
      const noted = withMessages(event, folded);
      if (stop !== undefined) return of(abort(noted, stop));
      // A blocked prompt is not stored.
      if (block !== undefined) return of(respond(modify(noted, { messages: [] }), block));
      if (contexts.length === 0) return of(noted);
      return of(modify(noted, { messages: [...event.messages, ...contexts.map((text) => userMessage(text))] }));
    }),
  );
}
