import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatIssue, type LoadedConfig, loadConfig } from 'hookline/config';
import { tempFolder } from '../temp-folder.ts';

/** Writes files to a new folder. */
export function written(files: Readonly<Record<string, unknown>>): (name: string) => string {
  const folder = tempFolder('config');
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(
      join(folder, name),
      typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content, null, 2),
    );
  }
  return (name) => join(folder, name);
}

/** Parses one configuration, given as text or as data. */
export function read(content: unknown, name = 'c.json', env: Record<string, string> = {}): LoadedConfig {
  return loadConfig([written({ [name]: content })(name)], { env });
}

const place = written({});

/** The same for specs that parse thousands, in one folder and in sequence. */
export function again(content: string | Uint8Array, name: string, env: Record<string, string> = {}): LoadedConfig {
  writeFileSync(place(name), content);
  return loadConfig([place(name)], { env });
}

/** The formatted issues, without the folder. */
export function shown({ issues }: Pick<LoadedConfig, 'issues'>): string[] {
  return issues.map((issue) => formatIssue({ ...issue, file: issue.file.replace(/^.*\//, '') }));
}
