import { z } from 'zod';
import { userOf } from '../events/parts/user-of.ts';

/** Option of a limit per user: what runs without a user count as. Absent is `session`, and `hookline check` says so. */
export const withoutUserOption = () =>
  z
    .enum(['session', 'shared'])
    .exactOptional()
    .describe(
      'With per user: what runs without a user count as. session (the default): each session has its own count, so a run without a session too. shared: all have one count.',
    );

interface Counted {
  readonly userId?: string | undefined;
}

/** Whose count of a limit per user it is; `session` names the session of the run. */
export function countedUser(run: Counted, session: string, withoutUser: 'session' | 'shared' = 'session'): string {
  const user = userOf(run);
  if (user !== undefined) return `user ${user}`;
  return withoutUser === 'shared' ? 'shared' : `session ${session}`;
}

/** Notices on limits per user that leave open what holds for runs without a user. */
export function withoutUserNotices(
  limits: readonly { readonly per: string | readonly string[]; readonly withoutUser?: string | undefined }[],
): { path: (string | number)[]; message: string }[] {
  return limits.flatMap(({ per, withoutUser }, at) =>
    withoutUser === undefined && [per].flat().includes('user')
      ? [
          {
            path: ['limits', at],
            message:
              'counts runs without a user by session, so each run without a user and a session has a count of its own. To bound them together, set withoutUser: shared; to keep this, set withoutUser: session',
          },
        ]
      : [],
  );
}
