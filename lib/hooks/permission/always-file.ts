import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { applyEdits, modify, parse } from 'jsonc-parser';
import writeFileAtomic from 'write-file-atomic';
import { looksBelow } from '../../permission-rules/action/match-called-paths.ts';
import type { SeenCall } from '../../permission-rules/call-rule.ts';
import type { RulePlace } from '../../permission-rules/match-path.ts';
import { ruleMatcher } from '../../permission-rules/match-rules.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { withFileLock } from '../../store/documents/file-lock.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
import { readRuleFile } from './read-rule-file.ts';

/** An allow rule for the answer "always". */
export interface AlwaysRule {
  readonly text: string;
  /** A description of the allowed calls. */
  readonly means: string;
}

/**
 * Returns the rule for a call. For a command, it allows exactly this line; for a file, all calls of the tool on it, whatever they write. Returns
 * `undefined` if a rule would need a wildcard, and for a folder, because a rule would allow its whole content.
 */
export function alwaysRule(call: SeenCall, place: RulePlace): AlwaysRule | undefined {
  const { command, path, file_path: filePath } = call.input;
  const target = command ?? path ?? filePath;
  if (typeof target !== 'string' || target.trim() !== target || /[*?[\]!#\\\n\r]/.test(target)) return undefined;
  if (command === undefined && (looksBelow(call.tool) || isFolder(target, place))) return undefined;
  const pattern = command === undefined ? target.replace(/^(?=\/)/, '/').replace(/^(?![/~])(\.\/)?/, './') : target;
  const text = `${call.own}(${pattern})`;
  const means =
    command === undefined ? `all calls of ${call.own} on ${pattern}, with any other arguments` : 'just this command';
  try {
    return ruleMatcher([parsePermissionRule(text)], place, 'allow')(call) === 'all' ? { text, means } : undefined;
  } catch {
    return undefined;
  }
}

function isFolder(path: string, { cwd, home }: RulePlace): boolean {
  const full = resolve(cwd, path.replace(/^~(?=\/|$)/, home));
  return statSync(full, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Adds an allow rule to a JSON file, which is created if needed. Comments and other content are kept. A file without readable rules is not changed.
 */
export async function addAllowRule(file: string, rule: string): Promise<void> {
  makeFolder(dirname(file));
  await withFileLock(file, { staleMs: 5_000, waitMs: 15_000 }, async (assertHeld) => {
    readRuleFile(file, 'empty');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}\n';
    const content = (parse(text) ?? {}) as { allow?: string[]; permissions?: { allow?: string[] } };
    const place = content.permissions === undefined ? ['allow'] : ['permissions', 'allow'];
    const rules = (content.permissions === undefined ? content.allow : content.permissions.allow) ?? [];
    if (rules.includes(rule)) return;
    const edits = modify(text, [...place], [...rules, rule], { formattingOptions: { insertSpaces: true, tabSize: 2 } });
    assertHeld();
    await writeFileAtomic(file, applyEdits(text, edits));
  });
}
