import type { HookKind } from '../kinds/hook-kind.ts';
import { type HookEntry, hookEntrySchema, type NativeConfig } from '../native-schema.ts';
import type { ConfigPath } from '../source/source.ts';

/** A hook as configured in files, with the defaults of these files. */
export interface Standing {
  readonly entry: HookEntry;
  readonly defaults: NonNullable<NativeConfig['defaults']>;
}

/**
 * Returns the paths of changes that weaken a hook: it denies, redacts or records less. Each changed field counts, unless its kind or a stricter
 * failure policy exempts it. Empty if the hook is disabled or has `weaker: true`.
 */
export function weakenings(kind: HookKind, before: Standing, after: Standing): readonly ConfigPath[] {
  const [was, now] = [before.entry, after.entry];
  if (was.enabled === false || was.weaker === true) return [];
  const changed = hookEntrySchema
    .keyof()
    .options.filter((field) => !judgedApart(field) && !same(was[field], now[field]));
  return [
    ...(now.enabled === false ? [['enabled']] : []),
    ...changed.map((field) => [field]),
    // Options of another kind would have another meaning.
    ...(changed.includes('type') ? [] : weakerOptions(kind, was, now)),
    ...policyWeakenings(kind, before, after).map((field) => [field]),
  ];
}

/** Other rules apply to these fields. */
function judgedApart(field: keyof HookEntry): boolean {
  return field === 'enabled' || field === 'options' || field === 'onFailure' || field === 'timeoutMs';
}

/** Returns which of the two fields, or both, make failures of the hook pass that did not before. */
export function policyWeakenings(kind: HookKind, before: Standing, after: Standing): ('onFailure' | 'timeoutMs')[] {
  const [was, now] = [policyOf(kind, before), policyOf(kind, after)];
  // A hook that denies on failure also denies at the timeout, however short. A hook that records has recorded nothing at that time.
  const failsClosed = now.onFailure === 'block' && kind.approves(before.entry);
  return [
    ...(was.onFailure === 'block' && now.onFailure === 'skip' ? (['onFailure'] as const) : []),
    ...(!failsClosed && was.timeoutMs !== now.timeoutMs ? (['timeoutMs'] as const) : []),
  ];
}

function policyOf(kind: HookKind, { entry, defaults }: Standing): Pick<HookEntry, 'onFailure' | 'timeoutMs'> {
  return {
    onFailure: entry.onFailure ?? defaults.onFailure ?? (kind.failsOpen ? 'skip' : 'block'),
    timeoutMs: entry.timeoutMs ?? defaults.timeoutMs,
  };
}

function weakerOptions(kind: HookKind, was: HookEntry, { options = {} }: HookEntry): readonly ConfigPath[] {
  return Object.keys(options).flatMap((name) => {
    if (same(was.options?.[name], options[name])) return [];
    const after = { ...was, options: { ...was.options, [name]: options[name]! } };
    return kind.weakens(was, after) ? [['options', name]] : [];
  });
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
