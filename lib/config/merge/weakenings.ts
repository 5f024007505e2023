import type { HookKind } from '../kinds/hook-kind.ts';
import type { HookEntry, NativeConfig } from '../native-schema.ts';
import type { ConfigPath } from '../source/source.ts';

/** A hook as files say it, with what they say for all hooks. */
export interface Standing {
  readonly entry: HookEntry;
  readonly defaults: NonNullable<NativeConfig['defaults']>;
}

/**
 * The parts of an entry whose change would let a hook refuse less than it did; none where it is switched off, or was set up to be changed
 * (`weaker`). Of a hook that refuses nothing only options count, where its kind can tell that they hold less back.
 */
export function weakenings(kind: HookKind, before: Standing, after: Standing): readonly ConfigPath[] {
  const [was, now] = [before.entry, after.entry];
  if (was.enabled === false || was.weaker === true) return [];
  const changed = (member: keyof HookEntry) => !same(was[member], now[member]);
  if (!kind.approves(was)) {
    if (!kind.weakens || changed('type')) return [];
    return [...(changed('weaker') ? [['weaker']] : []), ...weakerOptions(kind, was, now)];
  }
  const members = (['match', 'type', 'path', 'phase', 'weaker'] as const).filter(changed);
  return [
    ...(now.enabled === false ? [['enabled']] : []),
    ...members.map((member) => [member]),
    ...(members.includes('type') ? [] : weakerOptions(kind, was, now)),
    ...policyWeakenings(kind, before, after).map((member) => [member]),
  ];
}

/** Which of the two, or both, would let failures of the hook pass that did not. */
export function policyWeakenings(kind: HookKind, before: Standing, after: Standing): ('onFailure' | 'timeoutMs')[] {
  const [was, now] = [policyOf(kind, before), policyOf(kind, after)];
  // What fails closed refuses when its time is over, however short that is.
  const cutShort = now.onFailure === 'skip' && was.timeoutMs !== now.timeoutMs;
  return [
    ...(was.onFailure === 'block' && now.onFailure === 'skip' ? (['onFailure'] as const) : []),
    ...(cutShort ? (['timeoutMs'] as const) : []),
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
    return kind.weakens?.(was, after) ? [['options', name]] : [];
  });
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
