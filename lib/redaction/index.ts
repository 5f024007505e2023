export { compileRules } from './compile/compile-rules.ts';
export type { CompiledRule, RefusedRule } from './compile/compiled-rule.ts';
export type { Allowance, Rule } from './compile/rule.ts';
export type { Sighting } from './compile/sighting.ts';
export type { Confidence } from './confidence.ts';
export { createRedactor } from './create-redactor.ts';
export { createSecretMemory } from './memory/secret-memory.ts';
export { redactStream } from './redact-stream.ts';
export type {
  Finding,
  KnownValue,
  Redacted,
  RedactionStream,
  Redactor,
  RedactorOptions,
  SecretMemory,
  StreamOptions,
  TokenVault,
} from './redactor.ts';
export { credentialRules } from './rules/credential-rules.ts';
export { ownRules } from './rules/own-rules.ts';
export { personalRules } from './rules/personal-rules.ts';
export { rulesNamed } from './rules/rules-named.ts';
