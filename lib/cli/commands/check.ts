import type { Command } from 'commander';
import {
  type ConfigIssue,
  type ConfigNotice,
  formatIssue,
  formatIssues,
  formatPath,
  MAX_ISSUES,
} from '../../config/issues/config-issue.ts';
import { isMarked } from '../../config/issues/schema-at.ts';
import { failureOfKind } from '../../config/kinds/kind-failure.ts';
import { hideSecrets } from '../../config/layers/hidden.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { type HostName, hostNames } from '../../config/reach/host-parts.ts';
import { idleGuards } from '../../config/reach/idle-guards.ts';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { choice } from '../options/choice.ts';
import { allowWeakerOption, presetOption } from '../options/hook-options.ts';
import { loadFlags } from '../presets/load-flags.ts';
import type { Preset } from '../presets/preset.ts';
import { checkedHost } from '../run/guarded-host.ts';
import { tryMaking } from '../run/try-making.ts';
import { withToolsOf } from '../setup/configured-hooks.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { guardedHosts, guardLines, guardsIn, isUnguarded } from '../view/guards.ts';
import { printJson } from '../view/print-json.ts';

interface Flags {
  readonly print?: boolean;
  readonly json?: boolean;
  readonly allowWeaker?: boolean;
  readonly preset?: Preset;
  readonly for?: HostName | 'all';
}

const HELP = `
The format is detected by its shape: Hookline, PicoClaw, Claude Code (settings.json), or lists of handlers by phase
(pre_tool_use, post_tool_use, ...). The file extension selects JSON, JSON with comments or YAML. Files are merged
field by field; later files win. Modules are loaded; processes are not started.

A notice reports a setting without effect, such as a rule for a misspelled tool. With --for, notices also report
every hook that has no effect in that host.

For a coding agent (--for codex, or all of them), a table lists every hook and rule: holds, in part, or never, with the
reason, and what no hook sees there. If a hook or rule that denies or redacts never holds, the exit code is 1, unless
the configuration accepts it by the name of the hook: accept: [{ codex: audit }].

Each validation error is one line: file:line:column path: message. Exit codes: 0 valid, 1 unguarded, 2 invalid.

Examples:
  hookline check hookline.yaml
  hookline check hookline.yaml --for codex
  hookline check ~/.picoclaw/config.json --print
  hookline check --preset safe --print > hookline.json
`;

/** `hookline check`: prints all issues of configuration files, or the merged result. */
export function check(command: Command): void {
  command
    .argument('[files...]', 'configuration files; later files win')
    .option('--print', "print the merged configuration in Hookline's own format, without secrets")
    .option('--json', 'print JSON: { ok, issues, notices, hosts?, config? }')
    .addOption(presetOption())
    .addOption(allowWeakerOption())
    .option(
      '--for <host>',
      `also list what holds in this host (${[...hostNames, 'all'].join(', ')})`,
      choice([...hostNames, 'all'] as const),
    )
    .addHelpText('after', HELP)
    .action(async (config: readonly string[], flags: Flags) => {
      const { print = false, json = false, allowWeaker = false, preset } = flags;
      if (config.length === 0 && preset === undefined)
        throw new HooklineError('INPUT_INVALID', 'Nothing to check: give files, or --preset.');
      const loaded = await loadFlags({ config, preset, allowWeaker });
      const made = loaded.issues.length > 0 ? { ...loaded, hooks: [] } : await tryMaking(loaded);
      const issues = [...made.issues];
      const ofKinds = issues.length === 0 ? noticesOfKinds(loaded, issues) : [];
      const ok = issues.length === 0;
      const named = flags.for === 'all' ? undefined : flags.for;
      const found = () => [
        ...ofKinds,
        ...noticesOfFiles(loaded),
        ...idleGuards(loaded.config.hooks, withToolsOf(made.hooks, checkedHost(named, loaded.config))),
      ];
      const guarded = ok ? guardedHosts(flags.for).map((host) => guardsIn(loaded.config, host)) : [];
      const notices = [...loaded.notices, ...(ok ? found() : [])];
      const printed = ok && print ? normalised(loaded) : undefined;
      if (json)
        printJson({
          ok,
          issues: issues.slice(0, MAX_ISSUES).map(toData),
          ...(issues.length > MAX_ISSUES && { more: issues.length - MAX_ISSUES }),
          notices: notices.map(toData),
          ...(guarded.length > 0 && { hosts: guarded }),
          ...(printed !== undefined && { config: printed }),
        });
      else {
        for (const notice of notices) process.stderr.write(`notice: ${harmlessText(formatIssue(notice))}\n`);
        const lines = printed ? [JSON.stringify(printed, null, 2)] : formatIssues(issues);
        const table = guarded.flatMap(guardLines);
        for (const line of [...lines, ...table]) process.stdout.write(`${harmlessText(line)}\n`);
      }
      const unguarded = guarded.some(({ guards }) => guards.some((row) => isUnguarded(row)));
      process.exitCode = ok ? (unguarded ? 1 : 0) : 2;
    });
}

function noticesOfKinds({ config }: LoadedConfig, issues: ConfigIssue[]): readonly ConfigNotice[] {
  return config.hooks
    .filter(({ entry }) => entry.enabled !== false)
    .flatMap(({ kind, entry, issue }) => {
      try {
        return (kind.notices?.(entry) ?? []).map(({ path, message }) => issue(['options', ...path], message));
      } catch (thrown) {
        issues.push(issue(['type'], failureOfKind(kind.name, thrown)));
        return [];
      }
    });
}

/** Issues of files that two hooks would overwrite for each other. */
function noticesOfFiles({ config }: LoadedConfig): readonly ConfigNotice[] {
  const writers = new Map<unknown, string>();
  return config.hooks
    .filter(({ entry }) => entry.enabled !== false)
    .flatMap(({ name, kind, entry, issue }) =>
      Object.entries(entry.options ?? {}).flatMap(([option, file]) => {
        if (!isMarked(kind.optionsSchema, [option], 'alone')) return [];
        const first = writers.get(file);
        if (first !== undefined)
          return [issue(['options', option], `is also the file of "${first}". Use a separate file for each hook.`)];
        writers.set(file, name);
        return [];
      }),
    );
}

function normalised({ config, kinds }: LoadedConfig): JsonValue {
  const { written } = config;
  return hideSecrets({ config: written, source: { value: written }, toSource: (path) => path }, kinds);
}

function toData({ path, ...issue }: ConfigIssue | ConfigNotice): object {
  return { ...issue, path: formatPath(path) };
}
