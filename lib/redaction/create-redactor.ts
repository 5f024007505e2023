import { HooklineError } from '../errors.ts';
import { areOwn, compileRules } from './compile/compile-rules.ts';
import { createEngine, type Engine } from './compile/engine.ts';
import { knownValueRules } from './compile/known-value-rules.ts';
import type { Rule } from './compile/rule.ts';
import { rememberingStream } from './memory/remembering-stream.ts';
import type { KnownSecrets } from './memory/secret-memory.ts';
import { redactionStream, type StreamMaker } from './redaction-stream.ts';
import type { Redacted, Redactor, RedactorOptions, StreamOptions } from './redactor.ts';
import { rulesNamed } from './rules/rules-named.ts';
import { replacers } from './show/replacer.ts';

/**
 * Makes a redactor of rules, our own where none are given. Where secrets overlap they become one marker, named after the first of their rules; known values come before
 * all rules. Throws `RULE_INVALID`, with every issue, and `OPTIONS_INVALID`; neither says a value.
 */
export function createRedactor(rules: readonly Rule[] = rulesNamed(), options: RedactorOptions = {}): Redactor {
  const { vault } = options;
  const known = knownValueRules(options.known ?? []);
  // The list may be changed by its owner before the first text comes.
  const given = [...rules];
  const make = (): Made => {
    const all = [...known, ...checked(given)];
    return { engine: createEngine(all, vault), labels: all.map(({ label }) => label) };
  };
  // Own rules have no issue to tell of: many a program ends before it has a text for them, and would have spent half its time on them.
  let made = areOwn(given) ? undefined : make();
  const replacer = replacers(options);
  const stream = (how?: StreamOptions) => {
    made ??= make();
    const { engine, labels } = made;
    const replace = replacer();
    if (!how?.memory) return redactionStream(engine, labels, replace, how);
    const first: StreamMaker = (options) => redactionStream(engine, labels, replace, options);
    return rememberingStream(first, how.memory as KnownSecrets, labels, replace, how);
  };
  return {
    stream,
    redact(text, how): Redacted {
      const whole = stream(how);
      const shown = whole.write(text) + whole.end();
      return { text: shown, findings: whole.findings };
    },
  };
}

interface Made {
  readonly engine: Engine;
  readonly labels: readonly string[];
}

function checked(rules: readonly Rule[]) {
  const { compiled, refused } = compileRules(rules);
  if (refused.length === 0) return compiled;
  const issues = refused.map(({ id, reason, wayOut }) => `${id}: ${reason}; ${wayOut}`);
  throw new HooklineError('RULE_INVALID', `rules that do not hold in a stream:\n${issues.join('\n')}`);
}
