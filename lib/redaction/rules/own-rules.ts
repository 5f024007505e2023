import type { Rule } from '../compile/rule.ts';
import { credentialRules } from './credential-rules.ts';
import { personalRules } from './personal-rules.ts';

/** All that Hookline knows of, also what is not on by default. */
export const ownRules: readonly Rule[] = [...credentialRules, ...personalRules];
