import type { CompiledHook } from '../compile-config.ts';
import type { ConfigNotice } from '../faults/fault.ts';
import { isMarked } from '../faults/schema-at.ts';

/** A notice for each hook that is switched on and writes a file that another one writes already, where they would spoil each other's. */
export function sharedFileNotices(hooks: readonly CompiledHook[]): readonly ConfigNotice[] {
  const writers = new Map<unknown, string>();
  return hooks
    .filter(({ entry }) => entry.enabled !== false)
    .flatMap(({ name, kind, entry, fault }) =>
      Object.entries(entry.options ?? {}).flatMap(([option, file]) => {
        if (!isMarked(kind.optionsSchema, [option], 'alone')) return [];
        const first = writers.get(file);
        if (first === undefined) writers.set(file, name);
        return first === undefined
          ? []
          : [fault(['options', option], `is the file of "${first}" too. Give each hook a file of its own.`)];
      }),
    );
}
