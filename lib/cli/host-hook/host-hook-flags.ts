import type { HookFlags } from '../setup/configured-hooks.ts';

/** Options of a hook for another host. */
export interface HostHookFlags extends HookFlags {
  /** Timeout of an answer, in seconds. */
  readonly timeout: number;
  readonly failOpen?: boolean;
  /** How to answer a call that needs approval. Default: depends on the host. */
  readonly ask?: 'ask' | 'deny' | undefined;
  /** Idle timeout of a daemon, in seconds. */
  readonly idle: number;
}
