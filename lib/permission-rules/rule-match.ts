/**
 * How rules fit a call. `all`: they cover all that it does, so what they allow may run. `some`: they cover a part of it, one command of
 * several say, so what they refuse may not run. `unclear`: that cannot be told; nothing is allowed by it. `none`: they do not speak of it.
 */
export type RuleMatch = 'all' | 'some' | 'unclear' | 'none';
