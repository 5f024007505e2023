/** What is wrong with a hook, and where. */
export interface Fault {
  /** The part of the hook, such as `on.preActing`. */
  readonly where: string;
  readonly fault: string;
}

/** Collects faults; the same one twice counts once. */
export interface Faults {
  readonly all: readonly Fault[];
  add(where: string, fault: string): void;
}

export function createFaults(): Faults {
  const all: Fault[] = [];
  return {
    all,
    add(where, fault) {
      if (!all.some((one) => one.where === where && one.fault === fault)) all.push({ where, fault });
    },
  };
}
