import { existsSync } from 'node:fs';
import type { CompiledConfig } from '../../../config/index.ts';
import { formatIssue } from '../../../config/issues/config-issue.ts';
import { hostLimits } from '../../../config/reach/host-limits.ts';
import { idleGuards } from '../../../config/reach/idle-guards.ts';
import { HooklineError } from '../../../errors.ts';
import { usualRedactor } from '../../../hooks/usual-redactor.ts';
import { checkWritable, readSettings, replaceSettings, type Scope } from '../../client-settings.ts';
import { soundConfig } from '../../run/try-making.ts';
import { harmlessText } from '../../terminal/harmless-text.ts';
import { unifiedDiff } from '../../terminal/unified-diff.ts';
import { guardLines, guardsIn } from '../../view/guards.ts';
import { type DialectName, dialectNames } from '../dialects/dialect-names.ts';
import { findHosts } from './find-hosts.ts';
import type { InstallFlags } from './host-writer.ts';
import { claudeText } from './hosts/claude-text.ts';
import { picoclawText } from './hosts/picoclaw-text.ts';
import { writers } from './writers.ts';

/** What `--install` does. Without `as`, it is for each host on this machine. */
export interface InstallRequest extends Omit<InstallFlags, 'as'> {
  readonly as?: InstallFlags['as'];
  readonly uninstall?: boolean;
  readonly write?: boolean;
  readonly project?: boolean;
}

interface Plan {
  readonly host: DialectName;
  readonly file: string;
  readonly old: string | undefined;
  readonly text: string | undefined;
}

/** Shows how the settings of hosts change to call these hooks, or no longer do. With `write`, it saves them and keeps backups. */
export async function installHosts(request: InstallRequest): Promise<void> {
  const { as, uninstall = false, write = false, project = false, listen } = request;
  const scope: Scope = project ? 'project' : 'user';
  const printed = as === 'picoclaw' || listen !== undefined;
  if (printed && (write || uninstall || project))
    throw new HooklineError(
      'INPUT_INVALID',
      `${as === 'picoclaw' ? '--as picoclaw' : '--listen'} only prints its settings: change the file by hand, without --write, --uninstall and --project.`,
    );
  const config = uninstall ? undefined : await checkedHooks(request);
  if (as === 'picoclaw') return print(picoclawText({ ...request, as }));
  if (as === 'claude' && !uninstall && !project && !write) print(claudeText({ ...request, as }));
  if (printed) return;
  const hosts = as === undefined ? findHosts() : [as];
  if (hosts.length === 0)
    throw new HooklineError(
      'INPUT_INVALID',
      `There is no host on this machine. Name one with --as: ${dialectNames.join(', ')}.`,
    );
  // All settings are read and checked before any are written.
  const plans = hosts.map((host) => {
    try {
      return planOf(host, request, scope, uninstall);
    } catch (thrown) {
      throw withOthers(thrown, host, hosts);
    }
  });
  for (const { file, old, text } of plans) if (text !== old) checkWritable(file, scope);
  for (const plan of plans) show(plan, request, scope, config);
}

async function checkedHooks(request: InstallRequest): Promise<CompiledConfig> {
  const { config } = await soundConfig(request);
  const hosts = request.as === undefined ? findHosts() : [request.as];
  for (const name of hosts)
    for (const notice of idleGuards(config.hooks, { name })) process.stderr.write(`${formatIssue(notice)}\n`);
  if (request.config.length === 0 && existsSync('hookline.yaml'))
    process.stderr.write(
      'The hooks are those of the preset: hookline.yaml of this folder is not used. To use it, add --config hookline.yaml.\n',
    );
  if (/[\\/]_npx[\\/]/.test(process.argv[1] ?? ''))
    process.stderr.write(
      'This hookline runs from the npx cache. If npm clears the cache, every call is denied. Install hookline first.\n',
    );
  return config;
}

/** Adds to an error about the settings of one host what it means for the others. */
function withOthers(thrown: unknown, host: DialectName, hosts: readonly DialectName[]): unknown {
  const others = hosts.filter((one) => one !== host).map((one) => hostLimits[one].title);
  if (!(thrown instanceof HooklineError) || others.length === 0) return thrown;
  const text = `No settings were changed, also not those of ${others.join(', ')}. To leave ${hostLimits[host].title} out, name one host with --as.`;
  return new HooklineError('INPUT_INVALID', `${thrown.message.trimEnd()}\n${text}`, { cause: thrown });
}

function planOf(host: DialectName, request: InstallRequest, scope: Scope, uninstall: boolean): Plan {
  const writer = writers[host];
  const file = writer.file(scope);
  const old = readSettings(file);
  if (uninstall) return { host, file, old, text: old === undefined ? undefined : writer.remove(old, file) };
  return { host, file, old, text: writer.add(old, file, { ...request, as: host }) };
}

function show(
  { host, file, old, text }: Plan,
  request: InstallRequest,
  scope: Scope,
  config: CompiledConfig | undefined,
): void {
  const { uninstall = false, write = false } = request;
  const { title } = hostLimits[host];
  print(`${title}: ${file}\n`);
  if (text === old) {
    print(uninstall ? 'No hooks of hookline are in it.\n\n' : 'It already has these hooks.\n\n');
    return;
  }
  // The text of Claude Code already has the settings.
  if (host !== 'claude' || write || old !== undefined || uninstall || scope === 'project' || request.as === undefined) {
    const diff = unifiedDiff(file, old, text).join('\n');
    print(`${usualRedactor().redact(diff).text}\n\n`);
  }
  if (!uninstall) print(notes(host, request, scope));
  // What check --for prints, too.
  if (config) print(`${guardLines(guardsIn(config, host)).join('\n')}\n\n`);
  if (!write) {
    print('Nothing was written. To write the file, add --write.\n\n');
    return;
  }
  const backup = replaceSettings(file, old, text, scope);
  const done = text === undefined ? 'Removed.' : 'Written.';
  print(`${done}${backup === undefined ? '' : ` The backup is ${backup}.`}\n\n`);
}

function notes(host: DialectName, { daemon, failOpen }: InstallRequest, scope: Scope): string {
  const byHand = [
    ...writers[host].byHand,
    ...(scope === 'project' ? ['The paths are those of this machine: do not commit this file.'] : []),
    ...(daemon ? [] : ['To make each call faster, add --daemon: then a process keeps the hooks loaded.']),
  ];
  const { title, approval } = hostLimits[host];
  const limits = [
    ...(failOpen ? ['With --fail-open, it runs every call that could not be evaluated.'] : []),
    ...(approval === 'denies' ? ['It has no approval prompt for hooks, so a call that needs approval is denied.'] : []),
  ];
  const list = (lines: readonly string[]) => lines.map((line) => `  - ${line}\n`).join('');
  // The text of Claude Code has its own.
  const own = host === 'claude' || limits.length === 0 ? '' : `Limitations of ${title}:\n${list(limits)}`;
  return `By hand:\n${list(byHand)}${own}\n`;
}

function print(text: string): void {
  process.stdout.write(harmlessText(text));
}
