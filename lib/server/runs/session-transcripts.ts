import { firstValueFrom, isObservable } from 'rxjs';
import { ownSession } from '../../chat/own-session.ts';
import { refuse } from '../http/refuse.ts';
import type { RunView } from './run-view.ts';
import type { Runs, RunsOptions } from './runs.ts';

/** Reads the transcripts of sessions, redacted by the hooks of the last run of each session. */
export function sessionTranscripts(
  { transcript, shown }: Pick<RunsOptions, 'transcript' | 'shown'>,
  viewsOf: (user: string) => Promise<readonly RunView[]>,
): Runs['transcript'] {
  return async (user, sessionId) => {
    const kept = transcript?.load(ownSession(user, sessionId)) ?? [];
    const messages = isObservable(kept) ? await firstValueFrom(kept, { defaultValue: [] }) : await kept;
    if (messages.length > 0) {
      const own = (await viewsOf(user)).filter((view) => view.sessionId === sessionId);
      const last = own.sort((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1);
      return shown?.(messages, { user, ...(last?.scope !== undefined && { scope: last.scope }) }) ?? messages;
    }
    throw refuse(
      404,
      `There is no transcript for the session ${JSON.stringify(sessionId)}. GET /api/sessions lists yours.`,
    );
  };
}
