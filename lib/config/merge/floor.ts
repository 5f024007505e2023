import type { ConfigFile } from '../dialects/dialect.ts';
import { type ConfigNotice, issueAt } from '../issues/config-issue.ts';
import type { HookKinds } from '../kinds/hook-kinds.ts';
import type { HookEntry, NativeConfig } from '../native-schema.ts';

/** A hook and the files that configure it, latest last. */
interface SourcedHook {
  readonly name: string;
  readonly entry: HookEntry;
  readonly sources: readonly { readonly file: ConfigFile; readonly name: string }[];
}

/** Returns the `floor` hooks of the host as the first file. */
export function floorFile(hooks: NonNullable<NativeConfig['hooks']>): ConfigFile {
  const config = { hooks };
  const source = { file: '(always on)', value: config, placeOf: () => ({ line: 0, column: 0 }) };
  return { source, dialect: 'hookline', config, toSource: (path) => path, floor: true };
}

/** Whether the hook is always enabled, regardless of what files add to it. */
export function isFloor({ sources }: Pick<SourcedHook, 'sources'>): boolean {
  return sources[0]?.file.floor === true;
}

/** Whether the hook is always enabled and no file adds anything to it. */
export function isFloorAlone({ sources }: Pick<SourcedHook, 'sources'>): boolean {
  return sources.every(({ file }) => file.floor);
}

/**
 * Returns notices on hooks that may be meant to replace one that is always enabled: disabled ones, and those that deny calls, because both hooks then judge
 * each call.
 */
export function floorNotices(hooks: readonly SourcedHook[], kinds: HookKinds): readonly ConfigNotice[] {
  const floor = hooks.filter((hook) => isFloor(hook) && hook.entry.enabled !== false);
  return hooks.flatMap((hook) => {
    const source = hook.sources.at(-1)!;
    // A hook of the floor with a name of its own stands for no other one.
    const first = floor.find(
      ({ entry, name }) => name !== hook.name && name === entry.type && entry.type === hook.entry.type,
    );
    const off = hook.entry.enabled === false;
    if (!first || !(off || kinds.get(hook.entry.type ?? '')?.approves(hook.entry))) return [];
    const what = off ? 'is disabled, and does not replace' : 'runs in addition to';
    const message = `${what} "${first.name}", which is always on. To configure that hook, use its name. To disable it, use its name with enabled: false and weaker: true.`;
    return [issueAt(source.file.source, source.file.toSource(['hooks', source.name]), message, 'key')];
  });
}
