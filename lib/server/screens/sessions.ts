import { z } from 'zod';
import type { RunView } from '../runs/run-view.ts';

/** A conversation: what its runs have in common. */
export const sessionSchema = z.strictObject({
  /** As its user has named it. */
  sessionId: z.string(),
  /** How its first prompt that is still known begins. */
  title: z.string().exactOptional(),
  runs: z.int().positive(),
  startedAt: z.iso.datetime(),
  /** When its last run began. */
  lastAt: z.iso.datetime(),
  lastRun: z.string(),
  state: z.enum(['running', 'suspended', 'ended']),
});

export type Session = z.infer<typeof sessionSchema>;

/** The sessions of runs, the one that was used last first. */
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
