import type { GitleaksAllowlist, GitleaksRule } from './gitleaks-file.ts';

/** Returns the allowlists of a rule or a file, in the old format (`[allowlist]`) and the new one. */
export function allowlistsOf({
  allowlist,
  allowlists = [],
}: Pick<GitleaksRule, 'allowlist' | 'allowlists'>): readonly GitleaksAllowlist[] {
  return allowlist ? [allowlist, ...allowlists] : allowlists;
}
