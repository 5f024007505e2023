/**
 * How rules match a call. `all`: they cover the whole call, so it may run if they allow it. `some`: they cover a part, such as one of several commands, so it
 * may not run if they deny it. `unclear`: the match is unknown, so they allow nothing. `none`: they are about other calls.
 */
export type RuleMatch = 'all' | 'some' | 'unclear' | 'none';

const STRENGTH = { all: 3, some: 2, unclear: 1, none: 0 } as const;

/** Returns the match that refuses the most, of rules that are judged one by one. */
export function strongest(matches: readonly RuleMatch[]): RuleMatch {
  return matches.reduce((most, one) => (STRENGTH[one] > STRENGTH[most] ? one : most), 'none');
}
