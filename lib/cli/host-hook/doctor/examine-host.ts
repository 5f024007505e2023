import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hostLimits } from '../../../config/reach/host-limits.ts';
import { HooklineError } from '../../../errors.ts';
import { packageVersion } from '../../../hooks/package-version.ts';
import { readSettings, type Scope } from '../../client-settings.ts';
import type { DialectName } from '../dialects/dialect-names.ts';
import type { InstalledHook } from '../install/host-writer.ts';
import { writers } from '../install/writers.ts';
import { probeOf } from './probe-events.ts';
import { runInstalled } from './run-installed.ts';
import { type HostState, hostState } from './switched-off.ts';

/** An installed hook, and how it works. */
export interface HookReport extends Pick<HostState, 'trusted'> {
  readonly scope: Scope;
  readonly file: string;
  /** The version of the package that the command starts. */
  readonly version?: string;
  /** The time of the fastest call, in milliseconds. */
  readonly ms?: number;
}

/** The guard of a host. It works if there are no problems. */
export interface HostReport {
  readonly host: DialectName;
  readonly title: string;
  readonly hooks: readonly HookReport[];
  /** What is wrong, and what to do. */
  readonly problems: readonly string[];
}

/**
 * Runs the installed hooks of a host with a harmless call and with one that must be denied. Those of the project run only with `project`, because the
 * settings of a project of somebody else may name any command.
 */
export async function examineHost(host: DialectName, project: boolean): Promise<HostReport> {
  const hooks: HookReport[] = [];
  const problems: string[] = [];
  const untested: string[] = [];
  for (const scope of ['user', 'project'] as const) {
    const file = writers[host].file(scope);
    if (scope === 'project' && file === writers[host].file('user')) continue;
    try {
      const text = readLinked(file);
      const hook = text === undefined ? undefined : writers[host].installed(text, file);
      if (hook && scope === 'project' && !project) untested.push(file);
      else if (hook) hooks.push(await examineHook(host, { scope, file }, hook, problems));
    } catch (thrown) {
      if (!(thrown instanceof HooklineError)) throw thrown;
      problems.push(thrown.message);
    }
  }
  if (hooks.length === 0 && untested.length > 0)
    problems.push(`${untested[0]}: the hook of this project was not run. If you trust the project, add --project.`);
  else if (hooks.length === 0)
    problems.push(`No hook is installed. Run: hookline hook --as ${host} --config hookline.yaml --install --write`);
  return { host, title: hostLimits[host].title, hooks, problems };
}

async function examineHook(
  host: DialectName,
  place: Pick<HookReport, 'scope' | 'file'>,
  hook: InstalledHook,
  problems: string[],
): Promise<HookReport> {
  const { file } = place;
  const again = `Run: hookline hook --as ${host} --install --write, with the options of this hook`;
  const { off, trusted } = hostState(host, file, hook);
  if (off !== undefined) problems.push(`${off}, so no hook runs. Remove that setting.`);
  if (trusted === false)
    problems.push(`${file}: the hook is not trusted, so it does not run. Run /hooks in Codex and trust it.`);
  if (trusted === 'unknown') problems.push(`${file}: whether the hook is trusted is unknown. Run /hooks in Codex.`);
  const { main, version } = packageIn(hook);
  if (main !== undefined && !existsSync(main)) problems.push(`${file}: ${main} does not exist. ${again}.`);
  else if (version !== undefined && version !== packageVersion())
    problems.push(`${file}: the hook is of version ${version}, and this is ${packageVersion()}. ${again}.`);
  const cwd = process.cwd();
  const { harmless, denied } = probeOf(host, cwd, writers[host].file('user'));
  const times: number[] = [];
  let broken: string | undefined;
  for (let n = 0; n < 3 && broken === undefined; n++) {
    const answer = await runInstalled(host, hook, harmless, cwd);
    times.push(answer.ms);
    broken = answer.broken;
  }
  const refusal = broken === undefined ? await runInstalled(host, hook, denied, cwd) : undefined;
  broken ??= refusal?.broken;
  if (broken !== undefined) problems.push(`${file}: the hook does not work: ${broken}. ${again}.`);
  else if (!refusal?.denied) problems.push(`${file}: the hook allowed a call that it must deny. ${again}.`);
  // The first calls may start a daemon, and evaluate their events without it.
  const ms = broken === undefined ? Math.min(...times) : undefined;
  return { ...place, ...(trusted !== undefined && { trusted }), ...(version && { version }), ...(ms && { ms }) };
}

/** A file that is a link works in a host, although `--install` does not replace it. */
function readLinked(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : readSettings(file);
}

/** Returns the file that a command starts, and the version of its package. */
function packageIn({ command }: InstalledHook): { readonly main?: string; readonly version?: string } {
  const line = typeof command === 'string' ? command : command.join(' ');
  const [, main] = /(?:^|[\s'"])((?:[A-Za-z]:)?[\\/][^'"]*?main\.[jt]s)/.exec(line) ?? [];
  if (main === undefined) return {};
  for (let folder = dirname(main); dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown };
    return name === 'hookline' && typeof version === 'string' ? { main, version } : { main };
  }
  return { main };
}
