import {
  catchError,
  defer,
  endWith,
  finalize,
  from,
  ignoreElements,
  isObservable,
  map,
  type Observable,
  of,
  type SchedulerLike,
  throwError,
  timeout,
} from 'rxjs';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { type JsonObject, type JsonValue, jsonValueSchema } from '../../events/values/json-value.ts';
import { defineState } from '../../pipeline/define/state.ts';
import { type Logger, logAt } from '../../pipeline/logger.ts';
import type { RpcAnswer } from '../rpc-connection.ts';
import { type HostMethod, type HostParams, hostMethods } from './host-methods.ts';
import type { KnownRuns } from './known-runs.ts';

/** Sends a text to the user of a run. A returned promise or Observable is awaited. */
export type MessagePort = (text: string, run: RunInfo) => unknown;

/** Parts of the host that a hook process can access. */
export interface HostPorts {
  readonly name: string;
  readonly runs: KnownRuns;
  /** Log for `host.log` (default: the log of the named run). */
  readonly log: Logger | undefined;
  readonly scheduler: SchedulerLike;
  readonly message: MessagePort | undefined;
}

/** Answers one request of a hook process. It never errors. */
export type HostServer = (method: string, params: unknown) => Observable<RpcAnswer>;

/** Limits: concurrent messages, timeout of a message, and JSON that a hook may store per run. */
const MOST_MESSAGES = 64;
const MESSAGE_MS = 30_000;
const MOST_STATE = 1 << 20;

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

/** Serves the methods of `hostMethods`. */
export function serveHost({ name, runs, log, scheduler, message }: HostPorts): HostServer {
  const state = defineState({
    name: `process-hook:${name}`,
    schema: z.record(z.string(), jsonValueSchema),
    initial: (): Record<string, JsonValue> => ({}),
  });
  let sending = 0;

  const methods: { readonly [M in HostMethod]: (params: HostParams<M>) => JsonObject | Observable<JsonObject> } = {
    'host.log'({ level, message, data, run }) {
      const known = run === undefined ? undefined : runs.of(run);
      const fields = { hook: name, ...(run !== undefined && { runId: run }), ...(data !== undefined && { data }) };
      const logger = log ?? known?.log;
      if (logger) logAt(logger, level, fields, message);
      return {};
    },
    'host.state.get'({ run, key }) {
      const values = runs.of(run).state(state).get();
      return { value: Object.hasOwn(values, key) ? (values[key] ?? null) : null };
    },
    'host.state.set'({ run, key, value }) {
      const cell = runs.of(run).state(state);
      const next = { ...cell.get(), [key]: value };
      if (JSON.stringify(next).length > MOST_STATE)
        throw invalid(
          `the state of the hook in run "${run}" would exceed ${MOST_STATE} characters of JSON; store less.`,
        );
      cell.set(next);
      return {};
    },
    'host.message'({ run, text }) {
      const known = runs.of(run);
      if (!message) throw invalid('this host sends no messages; set the option message of processHook.');
      if (known.dryRun) throw invalid(`run "${run}" is a dry run, which sends nothing.`);
      if (sending >= MOST_MESSAGES)
        throw invalid(`${MOST_MESSAGES} messages are pending; wait for a reply before the next one.`);
      sending += 1;
      return defer(() => toObservable(message(text, known.run))).pipe(
        ignoreElements(),
        endWith({}),
        timeout({
          first: MESSAGE_MS,
          scheduler,
          with: () => throwError(() => invalid(`the message was not sent within ${MESSAGE_MS} ms.`)),
        }),
        finalize(() => {
          sending -= 1;
        }),
      );
    },
  };

  return (method, params) =>
    defer((): Observable<RpcAnswer> => {
      if (!Object.hasOwn(hostMethods, method)) {
        const known = Object.keys(hostMethods).join(', ');
        return of({ error: `method not found: ${method}; there are ${known}.`, code: METHOD_NOT_FOUND });
      }
      const checked = hostMethods[method as HostMethod].safeParse(params);
      if (!checked.success) return of({ error: `${method}: ${z.prettifyError(checked.error)}`, code: INVALID_PARAMS });
      const call = methods[method as HostMethod] as (params: unknown) => JsonObject | Observable<JsonObject>;
      const result = call(checked.data);
      return (isObservable(result) ? result : of(result)).pipe(map((given) => ({ result: given })));
    }).pipe(catchError((thrown: unknown) => of({ error: `${method}: ${messageOf(thrown)}` })));
}

function invalid(message: string): HooklineError {
  return new HooklineError('INPUT_INVALID', message);
}

function toObservable(given: unknown): Observable<unknown> {
  return isObservable(given) ? given : from(Promise.resolve(given));
}
