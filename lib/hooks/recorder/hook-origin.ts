import { processWide } from '../../events/values/process-wide.ts';
import type { Hook } from '../../pipeline/define/hook.ts';

/** The entry of a configuration that a hook was created from. */
export interface HookOrigin {
  readonly kind: string;
  /** A digest of its options and settings, without secrets. */
  readonly digest: string;
}

const origins = processWide('hookOrigins', () => new WeakMap<Hook, HookOrigin>());

/** Records the entry that a hook was created from. */
export function setOrigin(hook: Hook, origin: HookOrigin): void {
  origins.set(hook, origin);
}

/** Returns the entry that a hook was created from. A hook of code has none. */
export function originOf(hook: Hook): HookOrigin | undefined {
  return origins.get(hook);
}

/** No kind of a configuration. */
const OF_SERVER: HookOrigin = { kind: '(server)', digest: '' };

/** Marks a hook that a server adds to its runs. It is not part of a policy, so recordings do not list it. */
export function ofServer(hook: Hook): Hook {
  setOrigin(hook, OF_SERVER);
  return hook;
}

/** A hook in the header of a recording. */
export interface RecordedHook {
  readonly name: string;
  readonly kind?: string;
  readonly digest?: string;
}

export function recordedHooks(hooks: readonly Hook[]): readonly RecordedHook[] {
  return hooks.flatMap((hook) => {
    const origin = originOf(hook);
    if (origin?.kind === OF_SERVER.kind) return [];
    const { kind, digest } = origin ?? {};
    return [{ name: hook.name, ...(kind !== undefined && { kind }), ...(digest !== undefined && { digest }) }];
  });
}
