import { z } from 'zod';
import type { RunView } from '../runs/run-view.ts';

/** A session, summarized from its runs. */
export const sessionSchema = z.strictObject({
  /** The name that the user gave to the session. */
  sessionId: z.string(),
  /** The start of its first stored prompt. */
  title: z.string().exactOptional(),
  runs: z.int().positive(),
  startedAt: z.iso.datetime(),
  /** Start time of its last run. */
  lastAt: z.iso.datetime(),
  lastRun: z.string(),
  state: z.enum(['running', 'suspended', 'ended']),
});

export type Session = z.infer<typeof sessionSchema>;

/** Returns the sessions of runs, most recently used first. */
export function sessionsOf(views: readonly RunView[]): readonly Session[] {
  const bySession = grouped(views);
  const sessions = [...bySession.values()].map((runs) => {
    const sorted = [...runs].sort((a, b) => a.startedAt.localeCompare(b.startedAt));
    const [first, last] = [sorted[0]!, sorted.at(-1)!];
    const title = sorted.find((run) => run.title !== undefined)?.title;
    return {
      sessionId: first.sessionId,
      ...(title !== undefined && { title }),
      runs: runs.length,
      startedAt: first.startedAt,
      lastAt: last.startedAt,
      lastRun: last.runId,
      state: last.state,
    };
  });
  return sessions.sort((a, b) => b.lastAt.localeCompare(a.lastAt));
}

function grouped(views: readonly RunView[]): Map<string, RunView[]> {
  const groups = new Map<string, RunView[]>();
  for (const view of views) groups.set(view.sessionId, [...(groups.get(view.sessionId) ?? []), view]);
  return groups;
}
