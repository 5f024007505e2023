import { HTTPException } from 'hono/http-exception';

/** Rights of a token: read, answer approvals, change configurations, start and cancel runs, read the runs of all users. */
export const rights = ['read', 'approve', 'configure', 'run', 'runs:read'] as const;
/** A right of a token: `read`, `approve`, `configure`, `run` or `runs:read`. `runs:read` extends `read` to the runs of all users. */
export type Right = (typeof rights)[number];

/** The sender of a request. */
export interface Caller {
  readonly user: string;
  readonly rights: readonly Right[];
  /** Scopes whose configurations the caller may use and, with the right `configure`, change. */
  readonly scopes: readonly string[];
  /** Other users whose approvals the caller may read and answer, with the right `approve`: a list of users, or `*` for all. */
  readonly approvesFor?: readonly string[] | '*';
  /** The name of the token, or its id if it has no name. */
  readonly token?: string;
}

/** Variables that the middleware sets for the routes. */
export interface ServerEnv {
  Variables: { caller: Caller; address?: string };
}

/** Rejects a caller without this right (403). */
export function demand(caller: Caller, right: Right): void {
  if (caller.rights.includes(right)) return;
  throw new HTTPException(403, { message: `The token of "${caller.user}" lacks the right "${right}".` });
}

/** Whether the caller may read the runs of all users. */
export function readsAll({ rights }: Caller): boolean {
  return rights.includes('runs:read');
}
