import type { CompiledConfig } from '../../config/index.ts';
import { type GuardRow, guardTable } from '../../config/reach/guard-table.ts';
import { type CodingHost, hostLimits, isCodingHost } from '../../config/reach/host-limits.ts';
import { type HostName, hostNames } from '../../config/reach/host-parts.ts';
import { nearestOrAll } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';

/** A row of the table, and whether the configuration accepts it. */
export interface Guard extends GuardRow {
  readonly accepted?: true;
}

/** What holds in a coding agent. */
export interface HostGuards {
  readonly host: CodingHost;
  readonly guards: readonly Guard[];
  /** What no hook sees there. */
  readonly gaps: readonly string[];
}

/** Returns the coding agents that `--for` names. */
export function guardedHosts(named: HostName | 'all' | undefined): readonly CodingHost[] {
  if (named === 'all') return hostNames.filter(isCodingHost);
  return named !== undefined && isCodingHost(named) ? [named] : [];
}

/** Returns what holds in a coding agent. A name of `accept` that does not exist is `CONFIG_INVALID`. */
export function guardsIn({ hooks, settings: { accept = [] } }: CompiledConfig, host: CodingHost): HostGuards {
  const accepted = new Set<string>();
  const names = hooks.map(({ name }) => name);
  for (const [of, hook] of accept.flatMap((one) => Object.entries(one))) {
    const unknown = !(hostNames as readonly string[]).includes(of)
      ? `"${of}" is not a host. ${nearestOrAll(of, hostNames)}`
      : names.includes(hook)
        ? undefined
        : `there is no hook "${hook}". ${nearestOrAll(hook, names)}`;
    if (unknown !== undefined) throw new HooklineError('CONFIG_INVALID', `accept: ${unknown}`);
    if (of === host) accepted.add(hook);
  }
  const guards = guardTable(hooks, host).map((row) =>
    accepted.has(row.hook) ? { ...row, accepted: true as const } : row,
  );
  return { host, guards, gaps: hostLimits[host].gaps };
}

/** Returns whether something that denies or redacts has no effect, and the configuration does not accept that. */
export function isUnguarded({ holds, refuses, accepted }: Guard): boolean {
  return holds === 'never' && refuses && !accepted;
}

/** Returns the lines of a table: `holds`, `in part` or `never`, the hook with its rule, and the reason. */
export function guardLines({ host, guards, gaps }: HostGuards): readonly string[] {
  const shown = guards.map((row) => ({ ...row, name: row.rule === undefined ? row.hook : `${row.hook}: ${row.rule}` }));
  const width = Math.min(MOST_WIDTH, Math.max(0, ...shown.map(({ name }) => name.length)));
  const { title } = hostLimits[host];
  return [
    `${title} (--as ${host})`,
    ...shown.map(({ holds, name, why, accepted }) => {
      const reason = [why, accepted && holds === 'never' ? 'accepted' : undefined].filter(Boolean).join('; ');
      return `  ${holds.padEnd(7)}  ${reason === '' ? name : `${name.padEnd(width)}  ${reason}`}`;
    }),
    `  No hook sees: ${gaps.join('; ')}.`,
  ];
}

const MOST_WIDTH = 48;
