import { z } from 'zod';
import type { Agent } from '../agent/agent.ts';
import { isLogger, type Logger } from '../pipeline/logger.ts';
import type { StateStore } from '../store/state/state-store.ts';

/** Whose request it is, as the host says. */
export interface Caller {
  readonly userId: string;
  /** The session of the agent that the thread stands for. Default: one of this user and this thread alone. */
  readonly sessionId?: string;
}

/** How a chat is run. What a client posts decides none of this. */
export interface ChatOptions {
  /** The agent, or what gives the one for a caller. */
  readonly agent: Agent | ((caller: Caller) => Agent | Promise<Agent>);
  /** Says whose request it is; `undefined` is answered with 401, a `Response` is sent as it is. */
  readonly identify: (request: Request) => Caller | Response | undefined | Promise<Caller | Response | undefined>;
  /** Keeps whose each thread is and what waits in it; processes that share it resume each other's runs. Default: in memory. */
  readonly store?: StateStore;
  /** Takes the whole posted conversation for what was said, system and assistant messages included. Default: only the new user message counts. */
  readonly trustClientHistory?: boolean;
  /** What becomes of a run that nobody watches any more; default `continue`. */
  readonly onDisconnect?: 'continue' | 'cancel';
  /** Milliseconds that a call waits for its answer; a later one denies it. Default: seven days. */
  readonly expireMs?: number;
  /** Milliseconds that a thread is kept after its last use, and no shorter than its calls wait; whose it was is forgotten then. Default: 30 days. */
  readonly keepMs?: number;
  /** Characters, about, that are kept of a running run for those who come later; default 8 million. */
  readonly maxReplay?: number;
  /** Bytes of a request body; default 4 MiB. */
  readonly maxBody?: number;
  /** Where faults go that clients are not told. Default: the console. */
  readonly log?: Logger;
}

const fn = z.custom((value) => typeof value === 'function', 'must be a function');
const size = z.int().positive().optional();

/** Those that `createChat` checks; handlers add their own. */
export const chatOptionsSchema = z.strictObject({
  agent: z.custom(
    (value) => typeof value === 'function' || typeof (value as Agent | null)?.run === 'function',
    'must be an agent (createAgent makes them), or a function of the caller that gives one',
  ),
  identify: fn,
  store: z
    .custom((value) => typeof (value as StateStore | null)?.get === 'function', 'must be a state store')
    .optional(),
  trustClientHistory: z.boolean().optional(),
  onDisconnect: z.enum(['continue', 'cancel']).optional(),
  expireMs: z.int().positive().optional(),
  keepMs: z.int().positive().optional(),
  maxReplay: size,
  maxBody: size,
  log: z.custom(isLogger, 'must be a logger with the methods debug, info, warn and error; one of pino fits').optional(),
});
