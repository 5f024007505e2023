import type { LayerOwner } from '../config/index.ts';
import type { Caller } from './caller.ts';
import { refuse } from './http/refuse.ts';

/** Whose configuration a request is about: the caller's own, or that of a scope which the token names (else 403). */
export function requireScope({ user, scopes }: Caller, scope: string | undefined): LayerOwner {
  if (scope === undefined) return { user };
  if (scopes.includes(scope)) return { scope };
  throw refuse(403, `The token of "${user}" is not for the scope ${JSON.stringify(scope)}.`);
}
