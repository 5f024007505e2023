import { originOf, type RecordedHook } from '../hooks/recorder/hook-origin.ts';
import type { Hook } from '../pipeline/define/hook.ts';

/** A hook that differs between a recording and a pipeline. `options`: its options or settings differ. */
export interface HookDifference {
  readonly name: string;
  readonly change: 'added' | 'removed' | 'kind' | 'options';
}

/**
 * Compares the hooks of a recording with those of a pipeline: first changed and added hooks, then removed ones. Hooks of code have no digest, so their options are not compared. Recorders are
 * ignored, because a replay records nothing.
 */
export function compareHooks(
  recorded: readonly RecordedHook[] | undefined,
  hooks: readonly Hook[],
): readonly HookDifference[] {
  if (!recorded) return [];
  const before = new Map(recorded.map((hook) => [hook.name, hook]));
  const found: HookDifference[] = [];
  for (const hook of hooks) {
    const { name } = hook;
    const was = before.get(name);
    const is = originOf(hook);
    before.delete(name);
    if (is?.kind === 'recorder') continue;
    if (!was) found.push({ name, change: 'added' });
    else if (was.kind !== undefined && is && was.kind !== is.kind) found.push({ name, change: 'kind' });
    else if (was.digest !== undefined && is && was.digest !== is.digest) found.push({ name, change: 'options' });
  }
  return [...found, ...[...before.keys()].map((name) => ({ name, change: 'removed' as const }))];
}
