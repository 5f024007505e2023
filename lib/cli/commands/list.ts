import type { Command } from 'commander';
import { describeHook } from '../../config/describe-hook.ts';
import type { CompiledHook, HookKinds } from '../../config/index.ts';
import { loadKinds } from '../../config/load-config.ts';
import { nearestOrAll } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import { hookOptions } from '../options/hook-options.ts';
import { configuredHooks, type HookFlags } from '../setup/configured-hooks.ts';
import { harmlessText } from '../terminal/harmless-text.ts';
import { describeKind, kindText } from '../view/describe-kind.ts';
import { printJson } from '../view/print-json.ts';

const HELP = `
A configuration names a kind in "type". Hooks are listed in running order with their priority, lower first.
Without --config and --hooks, the list has the hooks that are always on.

Examples:
  hookline list
  hookline list --available budget
  hookline list --config hookline.yaml --json | jq -r '.hooks[].name'
`;

interface Flags extends HookFlags {
  readonly available?: string | true;
  readonly json?: boolean;
}

/** `hookline list`: the active hooks in running order, the disabled ones, and the available kinds. */
export function list(command: Command): void {
  hookOptions(command)
    .option(
      '--available [kind]',
      'list the kinds of hooks, with those of modules of --config, or show the options, defaults and an example of one',
    )
    .option('--json', 'print JSON: { kinds, hooks }')
    .addHelpText('after', HELP)
    .action(async ({ json = false, available, ...flags }: Flags) => {
      if (available !== undefined) return showAvailable(available, await loadKinds(flags.config), json);
      const live = await configuredHooks(flags, {});
      const { pipeline, release } = await live.lease();
      const kinds = kindsOf(live.kinds);
      const listed = [
        ...pipeline.hooks.map((hook) => describeHook(hook, live.config.hooks)),
        ...offHooks(live.config.hooks),
      ];
      release();
      await live.close();
      if (json) printJson({ kinds, hooks: listed });
      else process.stdout.write(harmlessText(toText(kinds, listed)));
    });
}

function showAvailable(name: string | true, kinds: HookKinds, json: boolean): void {
  if (name === true) {
    const all = kindsOf(kinds);
    if (json) printJson({ kinds: all });
    else process.stdout.write(`${kindLines(all, Math.max(...all.map((kind) => kind.name.length)) + 2).join('\n')}\n`);
    return;
  }
  const kind = kinds.get(name);
  if (!kind) {
    const help = nearestOrAll(name, [...kinds.keys()]);
    throw new HooklineError('INPUT_INVALID', `There is no kind of hook named ${JSON.stringify(name)}. ${help}`);
  }
  const described = describeKind(kind, kinds);
  if (json) printJson(described);
  else process.stdout.write(kindText(described));
}

interface Listed {
  readonly name: string;
  readonly enabled: boolean;
  readonly type?: string;
  readonly priority?: number;
  readonly description?: string;
  readonly match?: unknown;
}

function kindsOf(kinds: HookKinds): { name: string; description: string }[] {
  return [...kinds.values()].map(({ name, description }) => ({ name, description }));
}

function offHooks(compiled: readonly CompiledHook[]): Listed[] {
  return compiled.flatMap(({ name, kind, entry }) =>
    entry.enabled === false ? [{ name, enabled: false, type: kind.name }] : [],
  );
}

function kindLines(kinds: readonly { name: string; description: string }[], width: number): string[] {
  return kinds.map(({ name, description }) => `${name.padEnd(width)}${description}`);
}

function toText(kinds: readonly { name: string; description: string }[], hooks: readonly Listed[]): string {
  const width = Math.max(...kinds.map(({ name }) => name.length), ...hooks.map(({ name }) => name.length)) + 2;
  const on = hooks.filter(({ enabled }) => enabled);
  const off = hooks.filter(({ enabled }) => !enabled);
  return [
    'active hooks, in running order:',
    ...on.map(
      ({ name, priority, type, match }) =>
        `  ${name.padEnd(width)}${String(priority).padStart(7)}  ${type ?? 'default'}${match ? `  ${JSON.stringify(match)}` : ''}`,
    ),
    ...(off.length > 0 ? ['', `disabled hooks: ${off.map(({ name }) => name).join(', ')}`] : []),
    '',
    'available kinds:',
    ...kindLines(kinds, width).map((line) => `  ${line}`),
    '',
  ].join('\n');
}
