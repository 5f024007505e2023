import { type Command, Option } from 'commander';
import {
  type ConfigFault,
  type ConfigNotice,
  MOST_FAULTS,
  showFault,
  showFaults,
  showPath,
} from '../../config/faults/fault.ts';
import { isMarked } from '../../config/faults/schema-at.ts';
import { hookKinds } from '../../config/kinds/hook-kinds.ts';
import { hideSecrets } from '../../config/layers/hidden.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { type HostName, hostNames } from '../../config/reach/host-parts.ts';
import { idleGuards } from '../../config/reach/idle-guards.ts';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import { builtIns } from '../../hooks/built-ins.ts';
import { createCatalogue } from '../../hooks/catalogue.ts';
import { allowWeakerOption } from '../options/allow-weaker-option.ts';
import { choice } from '../options/choice.ts';
import { loadFlags } from '../presets/load-flags.ts';
import { type Preset, presetOption } from '../presets/preset.ts';
import { tryMaking } from '../run/faults-of-making.ts';
import { checkedHost } from '../run/guarded-host.ts';
import { withToolsOf } from '../setup/configured-hooks.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { printJson } from '../view/print-json.ts';

interface Flags {
  readonly print?: boolean;
  readonly json?: boolean;
  readonly allowWeaker?: boolean;
  readonly preset?: Preset;
  readonly for?: HostName;
}

const HELP = `
The format is recognized by its shape: Hookline, PicoClaw (an agent host; its hooks), Claude Code
(settings.json), or lists of handlers by phase (pre_tool_use, post_tool_use, ...). The file name says whether it is JSON,
JSON with comments or YAML. Several files are merged field by field; the later one wins. Modules are loaded,
processes are not started.

A notice reports a setting without effect: a rule for a tool whose name looks misspelled. With --for it also
reports every hook that can guard nothing in that host.

Each fault is one line: file:line:column path: message. Exit codes: 0 no faults, 2 faults.

Examples:
  hookline check hookline.yaml
  hookline check hookline.yaml --for claude
  hookline check ~/.picoclaw/config.json --print
  hookline check --preset safe --print > hookline.json
`;

/** `hookline check`: all that is wrong with configuration files, or what they come to. */
export function check(command: Command): void {
  command
    .argument('[files...]', 'what to read; the later one wins')
    .option('--print', "print the merged configuration in Hookline's own format, without secrets")
    .option('--json', 'print JSON: { ok, faults, notices, config? }')
    .addOption(presetOption())
    .addOption(allowWeakerOption())
    .addOption(
      new Option('--for <host>', `also list what has no effect in this host (${hostNames.join(', ')})`).argParser(
        choice(hostNames),
      ),
    )
    .addHelpText('after', HELP)
    .action(async (config: readonly string[], flags: Flags) => {
      const { print = false, json = false, allowWeaker = false, preset } = flags;
      if (config.length === 0 && preset === undefined)
        throw new HooklineError('INPUT_INVALID', 'Nothing to check: give files, or --preset.');
      const loaded = loadFlags({ config, preset, allowWeaker });
      const { faults, hooks } = loaded.faults.length > 0 ? { ...loaded, hooks: [] } : await tryMaking(loaded);
      const ok = faults.length === 0;
      const found = () => [
        ...noticesOfKinds(loaded),
        ...noticesOfFiles(loaded),
        ...idleGuards(loaded.config.hooks, withToolsOf(hooks, checkedHost(flags.for, loaded.config))),
      ];
      const notices = [...loaded.notices, ...(ok ? found() : [])];
      const printed = ok && print ? normalised(loaded) : undefined;
      if (json)
        printJson({
          ok,
          faults: faults.slice(0, MOST_FAULTS).map(toData),
          ...(faults.length > MOST_FAULTS && { more: faults.length - MOST_FAULTS }),
          notices: notices.map(toData),
          ...(printed !== undefined && { config: printed }),
        });
      else {
        for (const notice of notices) process.stderr.write(`notice: ${harmlessText(showFault(notice))}\n`);
        const lines = printed ? [JSON.stringify(printed, null, 2)] : showFaults(faults);
        for (const line of lines) process.stdout.write(`${harmlessText(line)}\n`);
      }
      process.exitCode = ok ? 0 : 2;
    });
}

function noticesOfKinds({ config }: LoadedConfig): readonly ConfigNotice[] {
  return config.hooks
    .filter(({ entry }) => entry.enabled !== false)
    .flatMap(({ kind, entry, fault }) =>
      (kind.notices?.(entry) ?? []).map(({ path, message }) => fault(['options', ...path], message)),
    );
}

/** Of files that two hooks would write over each other. */
function noticesOfFiles({ config }: LoadedConfig): readonly ConfigNotice[] {
  const writers = new Map<unknown, string>();
  return config.hooks
    .filter(({ entry }) => entry.enabled !== false)
    .flatMap(({ name, kind, entry, fault }) =>
      Object.entries(entry.options ?? {}).flatMap(([option, file]) => {
        if (!isMarked(kind.optionsSchema, [option], 'alone')) return [];
        const first = writers.get(file);
        if (first !== undefined)
          return [fault(['options', option], `is the file of "${first}" too. Give each hook a file of its own.`)];
        writers.set(file, name);
        return [];
      }),
    );
}

function normalised({ config }: LoadedConfig): JsonValue {
  const { written } = config;
  const kinds = hookKinds(createCatalogue(builtIns));
  return hideSecrets({ config: written, source: { value: written }, toSource: (path) => path }, kinds);
}

function toData({ path, ...fault }: ConfigFault | ConfigNotice): object {
  return { ...fault, path: showPath(path) };
}
