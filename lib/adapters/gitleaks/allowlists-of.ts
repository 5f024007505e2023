import type { GitleaksAllowlist, GitleaksRule } from './gitleaks-file.ts';

/** The allowlists of a rule or a file, in the old way of writing them (`[allowlist]`) and in the new one. */
export function allowlistsOf({
  allowlist,
  allowlists = [],
}: Pick<GitleaksRule, 'allowlist' | 'allowlists'>): readonly GitleaksAllowlist[] {
  return allowlist ? [allowlist, ...allowlists] : allowlists;
}
