import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { type RuleLists, ruleListsSchema } from './permission-options.ts';

export interface RuleFile extends RuleLists {
  /** The base of patterns that begin with `/`. Absent: the workspace. */
  readonly root?: string;
  /** Allow rules that cannot be parsed, with the reason. They allow nothing. */
  readonly dropped: readonly string[];
}

const claudeSchema = z.looseObject({
  permissions: z.looseObject({
    allow: z.array(z.string()).default([]),
    ask: z.array(z.string()).default([]),
    deny: z.array(z.string()).default([]),
  }),
});

/**
 * Reads rules from a file: `{ allow, ask, deny, default }`, or the `permissions` of Claude Code's settings. Invalid content throws `OPTIONS_INVALID`.
 * Only an invalid allow rule of Claude Code is dropped and reported.
 */
export function readRuleFile(file: string, missing: 'problem' | 'empty' = 'problem'): RuleFile {
  const text = readText(file, missing);
  if (text === undefined) return { allow: [], ask: [], deny: [], dropped: [] };
  const content = /\.ya?ml$/i.test(file) ? fromYaml(text, file) : fromJson(text, file);
  const isClaude = typeof content === 'object' && content !== null && 'permissions' in content;
  return isClaude ? readClaude(content, file) : { ...checked(ruleListsSchema, content, file), dropped: [] };
}

function readClaude(content: unknown, file: string): RuleFile {
  const { allow, ask, deny } = checked(claudeSchema, content, file).permissions;
  const dropped: string[] = [];
  const readable = allow.filter((text, at) => {
    const why = whyUnreadable(text);
    if (why) dropped.push(`${file}: permissions.allow[${at}] is ignored: ${why}`);
    return !why;
  });
  for (const [list, rules] of Object.entries({ ask, deny }))
    for (const [at, text] of rules.entries()) {
      const why = whyUnreadable(text);
      if (why) throw invalid(`${file}: permissions.${list}[${at}]: ${why}`);
    }
  const folder = dirname(file);
  return { allow: readable, ask, deny, root: basename(folder) === '.claude' ? dirname(folder) : folder, dropped };
}

function whyUnreadable(text: string): string | undefined {
  try {
    parsePermissionRule(text);
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

function readText(file: string, missing: 'problem' | 'empty'): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const absent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (absent && missing === 'empty') return undefined;
    throw invalid(`${file}: ${absent ? 'there is no such file' : (cause as Error).message}`, cause);
  }
}

function fromYaml(text: string, file: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    throw invalid(`${file} is not YAML: ${messageOf(cause)}`, cause);
  }
}

function fromJson(text: string, file: string): unknown {
  const errors: ParseError[] = [];
  const content: unknown = parseJson(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return content;
  const line = text.slice(0, first.offset).split('\n').length;
  throw invalid(`${file}:${line} is not JSON: ${printParseErrorCode(first.error)}`);
}

function checked<S extends z.ZodType>(schema: S, content: unknown, file: string): z.output<S> {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || '(file)'}: ${message}`);
  throw invalid([`${file} is not a file of permission rules:`, ...problems].join('\n'));
}

function invalid(message: string, cause?: unknown): HooklineError {
  return new HooklineError('OPTIONS_INVALID', `The hook "permission": ${message}`, { cause });
}
