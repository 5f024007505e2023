import type { LayerOwner } from '../../config/index.ts';
import { refuse } from '../http/refuse.ts';
import type { Caller } from './caller.ts';

/** The owner of the requested configuration: the caller, or a scope of the token. Any other scope is rejected (403). */
export function requireScope({ user, scopes }: Caller, scope: string | undefined): LayerOwner {
  if (scope === undefined) return { user };
  if (scopes.includes(scope)) return { scope };
  throw refuse(403, `The token of "${user}" does not cover the scope ${JSON.stringify(scope)}.`);
}
