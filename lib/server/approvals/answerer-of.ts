import type { Context } from 'hono';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import type { Caller, ServerEnv } from '../security/caller.ts';

/** The author of an answer. */
export interface Answerer {
  readonly user: string;
  /** True if the approval expired without an answer. */
  readonly expired?: true;
  /** Other users whose approvals the caller may read and answer; `*` is all. */
  readonly approvesFor?: readonly string[] | '*';
  readonly token?: string;
  readonly address?: string;
}

/** Whether the caller may read and answer the approvals of the user `owner`. */
export function mayAnswer({ user, approvesFor = [] }: Answerer, owner: string): boolean {
  return owner === user || approvesFor === '*' || approvesFor.includes(owner);
}

/** Returns the author of an answer from a request. */
export function answererOf(c: Context<ServerEnv>, { user, approvesFor, token }: Caller): Answerer {
  return withoutUndefined({ user, approvesFor, token, address: c.get('address') });
}
