import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import type { CompiledConfig } from '../../config/index.ts';
import { findModule } from '../../config/modules/find-module.ts';
import { packageFolder } from '../../config/modules/package-folder.ts';
import type { JsonValue } from '../../events/values/json-value.ts';

/** Variables for the folder of the project, as settings of Claude Code write them. */
const PROJECT = /\$\{?CLAUDE_PROJECT_DIR\}?/g;

/** Returns the files that hooks are made from or run: modules, rule files, and scripts in commands. An agent that writes one could switch off its policy. */
export function policyFiles(
  { hooks }: Pick<CompiledConfig, 'hooks'>,
  modules: readonly string[],
  project: string,
): readonly string[] {
  const named = hooks.flatMap(({ entry, folder, files }) => {
    const options = entry.options ?? {};
    const folders = [options['dir'], options['cwd'], folder, project].filter((one) => typeof one === 'string');
    const scripts = commandsIn(options).flatMap((words) => scriptsIn(words, folders, project));
    const links = entry.path === undefined ? [] : packageLinks(entry.path, folder);
    return [...files, ...links, ...scripts];
  });
  const files = [...named, ...modules.flatMap((name) => findModule(name, process.cwd()) ?? [])];
  // The package.json and the other files of a package decide what it exports.
  return files.flatMap((file) => [file, packageFolder(file) ?? []].flat()).filter((file) => existsSync(file));
}

/** Returns the folders that Node would look for a package in. Some package managers put links there. */
function packageLinks(name: string, folder: string): readonly string[] {
  if (name.startsWith('.') || isAbsolute(name)) return [];
  const paths = createRequire(join(resolve(folder), 'hookline')).resolve.paths(name) ?? [];
  return paths.flatMap((path) => packageFolder(join(path, name)) ?? []);
}

/** Returns the words of all fields `command`, at any depth. */
function commandsIn(value: JsonValue | undefined): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => {
    if (key !== 'command') return commandsIn(field);
    const words = typeof field === 'string' ? field.replace(/["']/g, '').split(/[\s;&|]+/) : [field].flat();
    return [words.filter((word) => typeof word === 'string')];
  });
}

/** Returns the words that are files. A program such as `/usr/bin/node` is none of the policy. */
function scriptsIn(words: readonly string[], folders: readonly string[], project: string): readonly string[] {
  return words.flatMap((word, nth) => {
    if (word === '' || (nth === 0 && isAbsolute(word))) return [];
    const paths = folders.map((folder) =>
      resolve(
        folder,
        word.replace(PROJECT, () => project),
      ),
    );
    return paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  });
}
