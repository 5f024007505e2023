import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff/lib/patch/create.js';

/** Returns the change of a file as the lines of a unified diff, which `git apply` accepts. `before`: undefined for a new file; `after` for a removed one. */
export function unifiedDiff(file: string, before: string | undefined, after: string | undefined): readonly string[] {
  if (before === after) return [];
  const name = file.replace(/^[/\\]+/, '');
  const oldName = before === undefined ? '/dev/null' : `a/${name}`;
  const newName = after === undefined ? '/dev/null' : `b/${name}`;
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(oldName, newName, before ?? '', after ?? '', undefined, undefined, options);
  return patch.replace(/\n$/, '').split('\n');
}
