import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, sep } from 'node:path';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import { makeFolder } from '../store/documents/make-folder.ts';

/** Whose settings a file holds: the user's, or a project's, which others share. */
export type Scope = 'user' | 'project';

/** Returns the text of settings; `undefined` if there is no file. Anything that could not be replaced safely is `INPUT_INVALID`. */
export function readSettings(file: string): string | undefined {
  return tried(file, 'cannot be read', () => {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat) return undefined;
    if (stat.isSymbolicLink()) throw new Error(`it is a link to ${realpathSync(file)}. Change that file by hand`);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    return readFileSync(file, 'utf8');
  });
}

/** Throws `INPUT_INVALID` unless the file can be written. */
export function checkWritable(file: string, scope: Scope): void {
  let folder = dirname(file);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  tried(file, 'cannot be written, and nothing was changed', () => {
    if (!lstatSync(realpathSync(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
    accessSync(folder, constants.W_OK | constants.X_OK);
    const project = realpathSync(process.cwd());
    // A project of somebody else may have a link to any folder.
    if (scope === 'project' && !`${realpathSync(folder)}${sep}`.startsWith(`${project}${sep}`))
      throw new Error(`${folder} is a link out of the project`);
  });
}

/** Replaces settings, or removes them if `text` is `undefined`. Returns the backup, which only the user can read. */
export function replaceSettings(
  file: string,
  old: string | undefined,
  text: string | undefined,
  scope: Scope,
): string | undefined {
  return tried(file, 'cannot be written, and was not changed', () => {
    makeFolder(dirname(file), scope === 'user' ? 0o700 : undefined);
    if (readSettings(file) !== old) throw new Error('another program changed it meanwhile. Try again');
    const backup = old === undefined ? undefined : freeName(`${file}.bak`);
    if (backup !== undefined) writeFileSync(backup, old ?? '', { mode: 0o600, flag: 'wx' });
    try {
      if (text === undefined) rmSync(file);
      // The mode of an existing file stays.
      else writeFileAtomic(file, text, old === undefined ? { mode: scope === 'user' ? 0o600 : 0o644 } : {});
    } catch (thrown) {
      if (backup !== undefined) rmSync(backup, { force: true });
      throw thrown;
    }
    return backup;
  });
}

function tried<T>(file: string, what: string, action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof HooklineError) throw thrown;
    throw new HooklineError('INPUT_INVALID', `${file} ${what}: ${messageOf(thrown)}.`, { cause: thrown });
  }
}

function freeName(name: string): string {
  for (let n = 0; ; n++) {
    const candidate = n === 0 ? name : `${name}.${n}`;
    if (!existsSync(candidate)) return candidate;
  }
}
