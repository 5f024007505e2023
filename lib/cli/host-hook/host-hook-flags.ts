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

/** Timeout of an answer, in seconds, less than the hook timeout of each host. */
export const USUAL_TIMEOUT = 25;
export const MOST_TIMEOUT = 600;

/** Idle timeout of a daemon, in seconds. */
export const USUAL_IDLE = 900;
export const MOST_IDLE = 86_400;

/** Returns whether the value of an option is a number of seconds. */
export function isSeconds(text: string, most: number): boolean {
  const value = Number(text);
  return value > 0 && value <= most;
}
