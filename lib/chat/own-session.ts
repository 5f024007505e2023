import type { HookEvent } from '../events/hook-event.ts';
import type { RunInfo } from '../events/parts/run-info.ts';
import type { Caller } from './chat-options.ts';

/** Returns the agent's session id of a thread. */
export function sessionOfThread({ userId, sessionId }: Caller, threadId: string): string {
  return sessionId ?? ownSession(userId, threadId);
}

/** Returns the key of a thread. The thread ids of each user are separate, so the ids of another user are neither known nor taken. */
export function threadKey({ userId }: Caller, threadId: string): string {
  return ownSession(userId, threadId);
}

/** Returns the agent's session id for a user and a session name. */
export function ownSession(user: string, name: string): string {
  return `${prefixOf(user)}${name}`;
}

/** The name that the user gave to a session. */
export function sessionName(user: string, session: string): string {
  const prefix = prefixOf(user);
  return session.startsWith(prefix) ? session.slice(prefix.length) : session;
}

const named = new WeakMap<RunInfo, RunInfo>();

/** Returns an event with the user's name of the session. */
export function withSessionName<E extends HookEvent>(event: E, user: string): E {
  const { run } = event;
  const sessionId = sessionName(user, run.sessionId);
  if (sessionId === run.sessionId) return event;
  const shown = named.get(run) ?? { ...run, sessionId };
  named.set(run, shown);
  return { ...event, run: shown };
}

/** No prefix is the start of another prefix. */
function prefixOf(user: string): string {
  return `${user.replace(/[%:]/g, (sign) => (sign === '%' ? '%25' : '%3a'))}:`;
}
