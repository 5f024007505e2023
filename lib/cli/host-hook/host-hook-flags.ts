import type { HookFlags } from '../setup/configured-hooks.ts';

/** How a hook of another host is run. */
export interface HostHookFlags extends HookFlags {
  /** Seconds that an answer may take. */
  readonly timeout: number;
  readonly failOpen?: boolean;
  /** What becomes of a call that its user is to be asked of; as the host can, where nothing is said. */
  readonly ask?: 'ask' | 'deny' | undefined;
  /** Seconds that a daemon waits for another call. */
  readonly idle: number;
}
