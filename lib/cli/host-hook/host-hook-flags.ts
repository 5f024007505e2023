import type { HookFlags } from '../setup/configured-hooks.ts';

/** How a hook of another host is run. */
export interface HostHookFlags extends HookFlags {
  /** Seconds that an answer may take. */
  readonly timeout: number;
  readonly failOpen?: boolean;
  /** Seconds that a daemon waits for another call. */
  readonly idle: number;
}
