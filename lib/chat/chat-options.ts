import { z } from 'zod';
import type { Agent } from '../agent/agent.ts';
import { type RunWatcher, runWatcherSchema } from '../agent/run-watcher.ts';
import { HooklineError } from '../errors.ts';
import { userOf } from '../events/parts/user-of.ts';
import { consoleLogger, isLogger, type Logger } from '../pipeline/logger.ts';
import type { StateStore } from '../store/state/state-store.ts';
import { type Refusal, refuse } from './refusal.ts';

/** The caller of a request, as the host identifies it. */
export interface Caller {
  readonly userId: string;
  /** The agent's session for the thread. Default: a session for this user and thread only. */
  readonly sessionId?: string;
}

/** Options of a chat. Clients cannot change them. */
export interface ChatOptions {
  /** The agent, or a function that returns the agent of a caller. */
  readonly agent: Agent | ((caller: Caller) => Agent | Promise<Agent>);
  /** Identifies the caller. `undefined` is answered with 401, and a `Response` is sent unchanged. */
  readonly identify: (request: Request) => Caller | Response | undefined | Promise<Caller | Response | undefined>;
  /**
   * Stores the threads of each user and their pending calls. Processes that share the store resume each other's runs.
   * Handlers that share it need agents with different names. Default: in memory.
   */
  readonly store?: StateStore;
  /** Uses the whole posted conversation as the history, including system and assistant messages. Default: only the new user message. */
  readonly trustClientHistory?: boolean;
  /** Whether a run without watching clients continues (default: `continue`). */
  readonly onDisconnect?: 'continue' | 'cancel';
  /** Milliseconds until a pending call expires. A later answer denies it. Default: seven days. */
  readonly expireMs?: number;
  /** Milliseconds that a thread is stored after its last use, at least as long as its calls are pending. Default: 30 days. */
  readonly keepMs?: number;
  /** Approximate maximum number of characters of an active run that are stored for clients that connect later. Default: 8 million. */
  readonly maxReplay?: number;
  /** Maximum size of a request body in bytes (default: 4 MiB). */
  readonly maxBody?: number;
  /**
   * Shows the runs of the chat, for example on the page of `createRuns`. Approvals are then answered in the chat or there. The first answer counts.
   */
  readonly runs?: RunWatcher;
  /** Logger for errors that clients do not receive. Default: the console. */
  readonly log?: Logger;
}

const fn = z.custom((value) => typeof value === 'function', 'must be a function');
const size = z.int().positive().optional();

/** @internal The options that `createChat` validates. Handlers add their own. */
export const chatOptionsSchema = z.strictObject({
  agent: z.custom(
    (value) => typeof value === 'function' || typeof (value as Agent | null)?.run === 'function',
    'must be an agent from createAgent(), or a function that returns one for the caller',
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
  runs: runWatcherSchema,
  log: z
    .custom(isLogger, 'must be a logger with the methods debug, info, warn and error, such as a pino logger')
    .optional(),
});

/** Identifies the caller of a request. Errors of the host are logged and refused. */
export async function identify(
  options: Pick<ChatOptions, 'identify' | 'log'>,
  request: Request,
): Promise<Caller | Response | Refusal> {
  try {
    const caller = await options.identify(request);
    if (caller instanceof Response) return caller;
    if (caller === undefined) return refuse(401, 'UNAUTHORIZED', 'Authentication is required.');
    if (typeof caller?.userId === 'string' && userOf(caller) !== undefined) return caller;
    throw new HooklineError('OPTIONS_INVALID', 'identify(request) must return { userId }, a Response or undefined.');
  } catch (err) {
    (options.log ?? consoleLogger).error({ err }, 'identify(request) failed');
    return refuse(500, 'FAILED', 'The request failed. See the server log.');
  }
}
