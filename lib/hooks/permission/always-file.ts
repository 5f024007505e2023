import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { applyEdits, modify, parse } from 'jsonc-parser';
import writeFileAtomic from 'write-file-atomic';
import type { SeenCall } from '../../permission-rules/call-rule.ts';
import type { RulePlace } from '../../permission-rules/match-path.ts';
import { ruleMatcher } from '../../permission-rules/match-rules.ts';
import { parsePermissionRule } from '../../permission-rules/permission-rule.ts';
import { withFileLock } from '../../store/documents/file-lock.ts';

/** The rule that allows just this call from now on; nothing where a rule cannot say so without a wildcard. */
export function exactRule(call: SeenCall, place: RulePlace): string | undefined {
  const { command, path, file_path: filePath } = call.input;
  const said = command ?? path ?? filePath;
  if (typeof said !== 'string' || said.trim() !== said || /[*?[\]!#\\\n\r]/.test(said)) return undefined;
  const pattern = command === undefined ? said.replace(/^(?=\/)/, '/').replace(/^(?![/~])(\.\/)?/, './') : said;
  const text = `${call.own}(${pattern})`;
  try {
    return ruleMatcher([parsePermissionRule(text)], place)(call) === 'all' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Adds an allow rule to a JSON file, which is made when needed; comments and everything else stay. */
export async function addAllowRule(file: string, rule: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await withFileLock(file, { staleMs: 5_000, waitMs: 15_000 }, async (assertHeld) => {
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
