import type { ConfigFile } from '../dialects/dialect.ts';
import { type ConfigNotice, faultAt } from '../faults/fault.ts';
import type { HookKinds } from '../kinds/hook-kinds.ts';
import type { HookEntry, NativeConfig } from '../native-schema.ts';

/** A hook, and the files that say something of it; the latest last. */
interface SaidHook {
  readonly name: string;
  readonly entry: HookEntry;
  readonly said: readonly { readonly file: ConfigFile; readonly name: string }[];
}

/** Hooks of the host, as if the first file had named them. */
export function floorFile(hooks: NonNullable<NativeConfig['hooks']>): ConfigFile {
  const config = { hooks };
  const source = { file: '(always on)', value: config, placeOf: () => ({ line: 0, column: 0 }) };
  return { source, dialect: 'hookline', config, toSource: (path) => path, floor: true };
}

/** Whether the hook is always on, whatever files add to it. */
export function isFloor({ said }: Pick<SaidHook, 'said'>): boolean {
  return said[0]?.file.floor === true;
}

/** Whether no file adds anything to a hook that is always on. */
export function isFloorAlone({ said }: Pick<SaidHook, 'said'>): boolean {
  return said.every(({ file }) => file.floor);
}

/**
 * Tells of hooks that might be meant to take the place of one that is always on: those that are off, and those that refuse calls, which both
 * judge then.
 */
export function besideFloor(hooks: readonly SaidHook[], kinds: HookKinds): readonly ConfigNotice[] {
  const floor = hooks.filter((hook) => isFloor(hook) && hook.entry.enabled !== false);
  return hooks.flatMap((hook) => {
    const said = hook.said.at(-1)!;
    const first = floor.find(({ entry, name }) => name !== hook.name && entry.type === hook.entry.type);
    const off = hook.entry.enabled === false;
    if (!first || !(off || kinds.get(hook.entry.type ?? '')?.approves(hook.entry))) return [];
    const what = off ? 'is off, and leaves' : 'is a further hook beside';
    const message = `${what} "${first.name}", which is always on. To add to that one, use its name. To switch it off, use its name with enabled: false and weaker: true.`;
    return [faultAt(said.file.source, said.file.toSource(['hooks', said.name]), message, 'key')];
  });
}
