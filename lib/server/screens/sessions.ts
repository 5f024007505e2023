import { z } from 'zod';
import type { RunView } from '../runs/run-view.ts';
import { isWaiting } from '../runs/view/filter-runs.ts';

/** A session, summarized from its runs. */
export const sessionSchema = z.strictObject({
  /** The name that the user gave to the session. */
  sessionId: z.string(),
  user: z.string().exactOptional(),
  /** The start of its first stored prompt. */
  title: z.string().exactOptional(),
  /** The number of runs. Runs that resumed each other count once. */
  runs: z.int().positive(),
  startedAt: z.iso.datetime(),
  /** Start time of its last run. */
  lastAt: z.iso.datetime(),
  lastRun: z.string(),
  /** `suspended`: its last run has pending calls, suspended or active. */
  state: z.enum(['running', 'suspended', 'ended']),
});

export type Session = z.infer<typeof sessionSchema>;

/** Returns the sessions of pieces of work, most recently used first. */
export function sessionsOf(pieces: Iterable<{ readonly view: RunView }>): readonly Session[] {
  const sessions = [...grouped(pieces)].map((runs) => {
    const sorted = runs.sort((a, b) => a.startedAt.localeCompare(b.startedAt));
    const [first, last] = [sorted[0]!, sorted.at(-1)!];
    const title = sorted.find((run) => run.title !== undefined)?.title;
    return {
      sessionId: first.sessionId,
      ...(first.user !== undefined && { user: first.user }),
      ...(title !== undefined && { title }),
      runs: runs.length,
      startedAt: first.startedAt,
      lastAt: last.startedAt,
      lastRun: last.runId,
      state: isWaiting(last) ? ('suspended' as const) : last.state,
    };
  });
  return sessions.sort((a, b) => b.lastAt.localeCompare(a.lastAt));
}

function grouped(pieces: Iterable<{ readonly view: RunView }>): Iterable<RunView[]> {
  const groups = new Map<string, RunView[]>();
  for (const { view } of pieces) {
    const key = `${view.user ?? ''}\n${view.sessionId}`;
    const group = groups.get(key);
    if (group) group.push(view);
    else groups.set(key, [view]);
  }
  return groups.values();
}
