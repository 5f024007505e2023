import type { HookFlags } from '../setup/configured-hooks.ts';

/** Options of a hook for another host. */
export interface HostHookFlags extends HookFlags {
  /** Timeout of an answer, in seconds. */
  readonly timeout: number;
  readonly failOpen?: boolean;
  /** How to answer a call that needs approval. Default: depends on the host. */
  readonly ask?: 'ask' | 'deny' | undefined;
  /** Address of the server that asks about calls on its page. */
  readonly inbox?: string;
  /** Environment variable with a token. */
  readonly tokenEnv?: string;
  /** Idle timeout of a daemon, in seconds. */
  readonly idle: number;
}
