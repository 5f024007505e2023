import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, root } from '../../cli/hookline.ts';
import type { HookCommand } from '../bed/host.ts';
import type { HostName } from '../bed/host-program.ts';

const FILES = {
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  opencode: '.opencode/plugins/hookline.js',
};

/** The plugin that `--install` writes for opencode, relative to the project. */
export const PLUGIN = FILES.opencode;

export interface Installed {
  /** The folder with the configuration, which is not the one that the agent works in. */
  project: string;
  /** The settings. */
  text: string;
}

/** What `--install --write` wrote for `hookline.yaml`. The command is the built one, because a host starts it without ts-node. */
export function installed(host: HostName, files: Record<string, string>, ...flags: readonly string[]): Installed {
  const project = folder(files);
  const words = ['hook', '--as', host, '--config', 'hookline.yaml', ...flags, '--install', '--project', '--write'];
  execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), ...words], { cwd: project });
  return { project, text: readFileSync(join(project, FILES[host]), 'utf8') };
}

/** The hook commands in settings of Codex, or of Gemini CLI, whose times are milliseconds. */
export function hooksIn(host: 'codex' | 'gemini', text: string): readonly HookCommand[] {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: { command: string; timeout: number }[] }[]> };
  const unit = host === 'gemini' ? 1_000 : 1;
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap((group) => group.hooks.map(({ command, timeout }) => ({ event, command, timeout: timeout / unit }))),
  );
}
