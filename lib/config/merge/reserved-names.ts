import type { ConfigFault } from '../faults/fault.ts';

/** What names of Hookline's own hooks begin with. */
export const OWN_PREFIX = 'hookline:';

interface Named {
  readonly name: string;
  fault(path: readonly PropertyKey[], message: string): ConfigFault;
}

/** A fault for each hook that bears a name of the host's own hooks. */
export function reservedNameFaults(hooks: readonly Named[], reserved: Iterable<string>): readonly ConfigFault[] {
  const names = new Set(reserved);
  return hooks.flatMap(({ name, fault }) =>
    names.has(name)
      ? [fault([], `the host has a hook of its own named "${name}". Give this one another name, "my-${name}" say.`)]
      : [],
  );
}
