import type { Context } from 'hono';
import type { Caller, ServerEnv } from '../caller.ts';

/** Who answers. */
export interface Answerer {
  readonly user: string;
  /** Nobody did, in time. */
  readonly expired?: true;
  /** Whose approvals are seen and answered beside the own ones: of named users, or of all. */
  readonly approvesFor?: readonly string[] | '*';
  readonly token?: string;
  readonly address?: string;
}

/** Whether somebody may see and answer the approvals of that user. */
export function mayAnswer({ user, approvesFor = [] }: Answerer, owner: string): boolean {
  return owner === user || approvesFor === '*' || approvesFor.includes(owner);
}

/** Who answers by a request. */
export function answererOf(c: Context<ServerEnv>, { user, approvesFor, token }: Caller): Answerer {
  const address = c.get('address');
  return {
    user,
    ...(approvesFor && { approvesFor }),
    ...(token !== undefined && { token }),
    ...(address !== undefined && { address }),
  };
}
