import { z } from 'zod';
import { userOf } from '../events/parts/user-of.ts';

/** The option of a limit per user for runs without a user. If absent, it is `session`, and `hookline check` reports that. */
export const withoutUserOption = () =>
  z
    .enum(['session', 'shared'])
    .exactOptional()
    .describe(
      'With per: user: counter of runs without a user. session: one counter per session. shared: one counter for all such runs (default: session).',
    );

interface Counted {
  readonly userId?: string | undefined;
}

/** Returns the key of a counter per user; `session` is the session of the run. */
export function countedUser(run: Counted, session: string, withoutUser: 'session' | 'shared' = 'session'): string {
  const user = userOf(run);
  if (user !== undefined) return `user ${user}`;
  return withoutUser === 'shared' ? 'shared' : `session ${session}`;
}

/** Returns notices for limits per user that do not set this option. */
export function withoutUserNotices(
  limits: readonly { readonly per: string | readonly string[]; readonly withoutUser?: string | undefined }[],
): { path: (string | number)[]; message: string }[] {
  return limits.flatMap(({ per, withoutUser }, at) =>
    withoutUser === undefined && [per].flat().includes('user')
      ? [
          {
            path: ['limits', at],
            message:
              'counts runs without a user by session, so each run without a user and a session has its own counter. To limit them together, set withoutUser: shared; to keep this, set withoutUser: session',
          },
        ]
      : [],
  );
}
