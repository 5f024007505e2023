export type { RefusedRule } from '../../redaction/compiled-rule.ts';
export type { Rule } from '../../redaction/rule.ts';
export { type FileRule, type GitleaksRules, loadGitleaksRules } from './load-gitleaks-rules.ts';
