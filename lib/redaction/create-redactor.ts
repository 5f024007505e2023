import { HooklineError } from '../errors.ts';
import { areOwn, compileRules } from './compile/compile-rules.ts';
import type { CompiledRule } from './compile/compiled-rule.ts';
import { createEngine, type Engine } from './compile/engine.ts';
import { knownValueRules } from './compile/known-value-rules.ts';
import type { Rule } from './compile/rule.ts';
import { rememberingStream } from './memory/remembering-stream.ts';
import type { KnownSecrets } from './memory/secret-memory.ts';
import { redactionStream, type StreamMaker } from './redaction-stream.ts';
import type { Redacted, Redactor, RedactorOptions, StreamOptions, TokenVault } from './redactor.ts';
import { rulesNamed } from './rules/rules-named.ts';
import { replacers } from './show/replacer.ts';

/**
 * Creates a redactor from rules, by default the built-in ones. Overlapping secrets become one marker, named after the first of their rules; known values
 * precede all rules. Throws `RULE_INVALID` with every issue, or `OPTIONS_INVALID`; neither contains a value.
 */
export function createRedactor(rules: readonly Rule[] = rulesNamed(), options: RedactorOptions = {}): Redactor {
  const { vault } = options;
  const known = knownValueRules(options.known ?? []);
  // The owner may change the list before the first text.
  const given = [...rules];
  const make = () =>
    known.length === 0 && !vault && areUsual(given) ? usualTables() : tablesOf([...known, ...checked(given)], vault);
  // Built-in rules have no issues to report. Many programs end before they redact a text, and would spend half their time on the rules.
  let made: Tables | undefined = areOwn(given) ? undefined : make();
  const replacer = replacers(options);
  const clean = recentTexts();
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
    redact(text, { leave = [], memory } = {}): Redacted {
      const knowsValues = memory !== undefined && (memory as KnownSecrets).size > 0;
      if (!knowsValues && clean.has(text)) return { text, findings: [] };
      const whole = stream({ leave, ...(memory && { memory }) });
      const shown = whole.write(text) + whole.end();
      if (!knowsValues && shown === text && whole.findings.length === 0) clean.add(text);
      return { text: shown, findings: whole.findings };
    },
  };
}

/** The number of texts without secrets that are remembered, and their length in characters. Names, arguments and results pass several hooks. */
const MOST_RECENT = 512;
const LONGEST_RECENT = 512;

/** Creates a set of the latest texts. */
function recentTexts() {
  let young = new Set<string>();
  let old = young;
  return {
    has: (text: string): boolean => young.has(text) || old.has(text),
    add(text: string): void {
      if (text.length > LONGEST_RECENT) return;
      if (young.size >= MOST_RECENT) {
        old = young;
        young = new Set();
      }
      young.add(text);
    },
  };
}

interface Tables {
  readonly engine: Engine;
  readonly labels: readonly string[];
}

function tablesOf(rules: readonly CompiledRule[], vault?: TokenVault): Tables {
  return { engine: createEngine(rules, vault), labels: rules.map(({ label }) => label) };
}

let usual: Tables | undefined;

/** Returns the tables of the default rules. All redactors share them, because they take megabytes and some time. */
function usualTables(): Tables {
  usual ??= tablesOf(checked(rulesNamed()));
  return usual;
}

function areUsual(rules: readonly Rule[]): boolean {
  const wanted = rulesNamed();
  return rules.length === wanted.length && rules.every((rule, nth) => rule === wanted[nth]);
}

function checked(rules: readonly Rule[]): readonly CompiledRule[] {
  const { compiled, refused } = compileRules(rules);
  if (refused.length === 0) return compiled;
  const issues = refused.map(({ id, reason, fix }) => `${id}: ${reason}; ${fix}`);
  throw new HooklineError('RULE_INVALID', `rules that do not hold in a stream:\n${issues.join('\n')}`);
}
