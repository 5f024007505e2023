import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { HooklineError } from '../../errors.ts';
import { allowlistsOf } from './allowlists-of.ts';
import { checkFile } from './check-file.ts';
import type { GitleaksAllowlist, GitleaksFile, GitleaksRule } from './gitleaks-file.ts';
import type { Report } from './report.ts';

/** The rules of a file and the files it extends, and the global allowlists. */
export interface Gathered {
  readonly rules: readonly GitleaksRule[];
  readonly allowlists: readonly GitleaksAllowlist[];
  /** True if a rule without a regex may change one of gitleaks' own rules, which are not available here. */
  readonly usesDefault: boolean;
}

const nothing: Gathered = { rules: [], allowlists: [], usesDefault: false };

/** Reads `file` and the files it extends, nearest first. A rule overrides the rule with the same id from an extended file. */
export function gatherRules(file: string, reportFor: (file: string) => Report, path: readonly string[] = []): Gathered {
  const report = reportFor(file);
  const place = resolve(file);
  if (path.includes(place)) {
    report.problem(
      'extend.path: the file extends itself, directly or through other files; remove one of the references.',
    );
    return nothing;
  }
  const read = checkFile(readToml(file), report);
  if (!read) return nothing;
  const { extend = {} } = read;
  if (extend.url !== undefined)
    report.notice('extend.url: Hookline does not fetch files; save the file and set extend.path.');
  if (extend.useDefault) {
    report.notice(
      "extend.useDefault: gitleaks' own rules are not part of Hookline. Add Hookline's own, or extend a copy of gitleaks.toml by path.",
    );
  }
  const base =
    extend.path === undefined ? nothing : gatherRules(resolve(dirname(file), extend.path), reportFor, [...path, place]);
  return merge(base, read);
}

function merge(base: Gathered, file: GitleaksFile): Gathered {
  const own = new Map((file.rules ?? []).map((rule) => [rule.id, rule]));
  const disabled = file.extend?.disabledRules ?? [];
  const inherited = base.rules.filter(({ id }) => !disabled.includes(id));
  return {
    rules: [
      ...inherited.map((rule) => changed(rule, own.get(rule.id))),
      ...[...own.values()].filter(({ id }) => !inherited.some((rule) => rule.id === id)),
    ],
    allowlists: [...base.allowlists, ...allowlistsOf(file)],
    usesDefault: base.usesDefault || file.extend?.useDefault === true,
  };
}

/** The later rule's fields override. Keywords and allowlists are combined. */
function changed(rule: GitleaksRule, by: GitleaksRule | undefined): GitleaksRule {
  if (!by) return rule;
  return {
    ...rule,
    ...by,
    keywords: [...(rule.keywords ?? []), ...(by.keywords ?? [])],
    allowlist: undefined,
    allowlists: [...allowlistsOf(rule), ...allowlistsOf(by)],
  };
}

/** Returns the tables of a TOML file. Throws `INPUT_INVALID` if the file is missing or is not TOML. */
function readToml(file: string): Record<string, unknown> {
  const text = readText(file);
  try {
    return parse(text);
  } catch (thrown) {
    if (!(thrown instanceof TomlError)) throw thrown;
    const [, what = ''] = /: (.+)/.exec(thrown.message) ?? [];
    throw new HooklineError(
      'INPUT_INVALID',
      `${file}:${thrown.line}:${thrown.column} is not TOML: ${what}. Correct the line; write a regex between ''' and '''.`,
      { cause: thrown },
    );
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    const missing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    throw new HooklineError(
      'INPUT_INVALID',
      missing
        ? `${file} does not exist. Pass a file of gitleaks rules.`
        : `${file} cannot be read: ${(thrown as Error).message}.`,
      { cause: thrown },
    );
  }
}
