import type { Answerer } from './answerer-of.ts';
import type { Found, SuspendedRuns } from './suspended-runs.ts';

/** The suspended runs that a caller may answer. */
export interface AnswerableRuns {
  list(who: Answerer): Promise<readonly Found[]>;
  find(who: Answerer, runId: string): Promise<Found | undefined>;
}

export function answerableRuns(suspended: SuspendedRuns): AnswerableRuns {
  return {
    async list(who) {
      const users = usersOf(who);
      if (!users) return suspended.list();
      return (await Promise.all(users.map((user) => suspended.list(user)))).flat();
    },
    async find(who, runId) {
      for (const user of usersOf(who) ?? [who.user]) {
        const found = await suspended.find(user, runId);
        if (found) return found;
      }
      if (usersOf(who)) return undefined;
      return (await suspended.list()).find(({ run }) => run.run.runId === runId);
    },
  };
}

/** The users whose runs a caller may answer; undefined if all. */
export function usersOf({ user, approvesFor = [] }: Answerer): readonly string[] | undefined {
  return approvesFor === '*' ? undefined : [...new Set([user, ...approvesFor])];
}
