export { compileRules } from './compile-rules.ts';
export type { RefusedRule } from './compiled-rule.ts';
export { createRedactor } from './create-redactor.ts';
export { redactStream } from './redact-stream.ts';
export type {
  Finding,
  KnownValue,
  Redacted,
  RedactionStream,
  Redactor,
  RedactorOptions,
  TokenVault,
} from './redactor.ts';
export type { Allowance, Rule } from './rule.ts';
