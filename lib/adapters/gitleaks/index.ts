export type { RefusedRule } from '../../redaction/compile/compiled-rule.ts';
export type { Rule } from '../../redaction/compile/rule.ts';
export { type FileRule, type GitleaksRules, loadGitleaksRules } from './load-gitleaks-rules.ts';
