import { HTTPException } from 'hono/http-exception';

/** What a token may do: see, answer approvals, change configurations, start and cancel runs. */
export const rights = ['read', 'approve', 'configure', 'run'] as const;
/** What a token allows: `read`, `approve`, `configure` or `run`. */
export type Right = (typeof rights)[number];

/** Who sends a request. */
export interface Caller {
  readonly user: string;
  readonly rights: readonly Right[];
  /** The scopes whose configurations it may use and, with `configure`, change. */
  readonly scopes: readonly string[];
  /** Whose approvals it may see and answer, with the right `approve`, besides the own ones: those of named users, or of all. */
  readonly approvesFor?: readonly string[] | '*';
  /** The token that was shown, by its name or, where it has none, its id. */
  readonly token?: string;
}

/** What middleware leaves for the routes. */
export interface ServerEnv {
  Variables: { caller: Caller; address?: string };
}

/** Refuses a caller without that right (403). */
export function demand(caller: Caller, right: Right): void {
  if (caller.rights.includes(right)) return;
  throw new HTTPException(403, { message: `The token of "${caller.user}" lacks the right "${right}".` });
}
