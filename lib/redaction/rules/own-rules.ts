import type { Rule } from '../compile/rule.ts';
import { credentialRules } from './credential-rules.ts';
import { personalRules } from './personal-rules.ts';

/** All built-in rules, including those that are not enabled by default. */
export const ownRules: readonly Rule[] = [...credentialRules, ...personalRules];
