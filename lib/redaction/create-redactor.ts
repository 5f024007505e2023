import { HooklineError } from '../errors.ts';
import { compileRules } from './compile/compile-rules.ts';
import { createEngine } from './compile/engine.ts';
import { knownValueRules } from './compile/known-value-rules.ts';
import type { Rule } from './compile/rule.ts';
import { redactionStream } from './redaction-stream.ts';
import type { Redacted, Redactor, RedactorOptions, StreamOptions } from './redactor.ts';
import { rulesNamed } from './rules/rules-named.ts';
import { replacers } from './show/replacer.ts';

/**
 * Makes a redactor of rules, our own where none are given. Where secrets overlap they become one marker, named after the first of their rules; known values come before
 * all rules. Throws `RULE_INVALID`, with every fault, and `OPTIONS_INVALID`; neither says a value.
 */
export function createRedactor(rules: readonly Rule[] = rulesNamed(), options: RedactorOptions = {}): Redactor {
  const { compiled, refused } = compileRules(rules);
  if (refused.length > 0) {
    const faults = refused.map(({ id, reason, wayOut }) => `${id}: ${reason}; ${wayOut}`);
    throw new HooklineError('RULE_INVALID', `rules that do not hold in a stream:\n${faults.join('\n')}`);
  }
  const all = [...knownValueRules(options.known ?? []), ...compiled];
  const engine = createEngine(all, options.vault);
  const labels = all.map(({ label }) => label);
  const replacer = replacers(options);
  const stream = (how?: StreamOptions) => redactionStream(engine, labels, replacer(), how);
  return {
    stream,
    redact(text): Redacted {
      const whole = stream();
      const shown = whole.write(text) + whole.end();
      return { text: shown, findings: whole.findings };
    },
  };
}
