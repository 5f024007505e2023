import { Observable, ReplaySubject, type SchedulerLike, type Subscriber } from 'rxjs';
import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import { jsonFields } from './json-fields.ts';
import { type LineProcess, type LineProgram, startLineProcess } from './line-process.ts';
import { paramsJson, type RpcParams } from './params-json.ts';
import { PendingCall, type Read } from './pending-call.ts';
import { PendingCalls } from './pending-calls.ts';
import { type RpcReply, readRpcMessage } from './rpc-message.ts';

/** What a host does with the messages of a hook process that are no replies. */
export interface RpcHost {
  readonly name: string;
  readonly scheduler: SchedulerLike;
  /** The process asked for something (`id` given) or told something. */
  request(method: string, params: unknown, id: string | number | undefined): void;
  /** A call has been answered with a result. */
  replied?(): void;
  /** A line that is no message, or belongs to nothing. */
  junk(line: string, why: string): void;
  /** A line of standard error. */
  log(line: string): void;
}

/** What a request of a hook process is answered: what comes of it, or why nothing does. */
export type RpcAnswer = { readonly result: unknown } | { readonly error: string; readonly code?: number };

/** One start of a hook process, up to its end: JSON-RPC 2.0 in lines. Any number of calls may be in flight. */
export interface RpcConnection {
  /** Calls a method; errors with `HOOK_TIMEOUT` or `PROCESS_FAILED`. Whoever stops waiting tells the process by `hook.cancel`. */
  call(method: string, params: RpcParams, timeoutMs: number): Observable<unknown>;
  /**
   * The same for a subscriber that is there already. `read` makes of a result what it gets; what that throws is its error. `ofMs` is the
   * whole time, which people are told of.
   */
  begin(
    subscriber: Subscriber<unknown>,
    method: string,
    params: RpcParams,
    timeoutMs: number,
    read?: Read,
    ofMs?: number,
  ): void;
  notify(method: string, params: RpcParams): void;
  respond(id: string | number, answer: RpcAnswer): void;
  /** How the process ended; emits once, and at once when that has happened. */
  readonly ended$: Observable<string>;
  stop(): Promise<void>;
}

/** The id of a reply that was thrown away for its length, if it stands at its beginning. */
const EARLY_ID = /^\s*\{(?:\s*"jsonrpc"\s*:\s*"[^"]*"\s*,)?\s*"id"\s*:\s*"?(\d+)/i;

/** Starts a program and talks to it. */
export function connectProcess(program: LineProgram, host: RpcHost): RpcConnection {
  const pending = new PendingCalls(host.scheduler, giveUp);
  const ended$ = new ReplaySubject<string>(1);
  let lastId = 0;
  let endedHow: string | undefined;

  const failed = (issue: string): HooklineError =>
    new HooklineError('PROCESS_FAILED', `Hook process "${host.name}" ${issue}`);

  const process_: LineProcess = startLineProcess(program, {
    line(line) {
      // Whatever a program writes, it must not bring the host down.
      try {
        take(line);
      } catch (thrown) {
        host.junk(line, messageOf(thrown));
      }
    },
    overlong(head) {
      const issue = failed(`wrote a line of more than ${program.maxLine} characters, which was dropped.`);
      const id = Number(EARLY_ID.exec(head)?.[1]);
      const blamed = pending.has(id) ? [id] : pending.ids();
      host.junk(head.slice(0, 80), issue.message);
      for (const one of blamed) pending.take(one)?.subscriber.error(issue);
    },
    log: (line) => host.log(line),
    ended(how) {
      endedHow = how;
      for (const id of pending.ids()) pending.take(id)?.subscriber.error(failed(`${how}.`));
      pending.close();
      ended$.next(how);
      ended$.complete();
    },
  });

  function take(line: string): void {
    const message = readRpcMessage(line);
    if (message.kind === 'junk') host.junk(line, message.why);
    else if (message.kind === 'request') host.request(message.method, message.params, message.id);
    else answer(line, message);
  }

  function answer(line: string, { id, result, error }: RpcReply): void {
    const call = pending.take(id);
    if (!call) host.junk(line, `no request is waiting for the reply ${id}`);
    else if (error !== undefined) call.subscriber.error(failed(`answered with an error: ${error}`));
    else {
      host.replied?.();
      call.answer(result);
    }
  }

  /** Sends the fields of a message, given as JSON. */
  function send(fields: string): void {
    try {
      process_.send(`{"jsonrpc":"2.0",${fields}}`);
    } catch (thrown) {
      throw thrown instanceof HooklineError ? failed(thrown.message) : thrown;
    }
  }

  /** Tells the process that nobody waits for that answer any more. */
  function cancel(id: number, reason: string): void {
    if (pending.take(id)) sendCancel(id, reason);
  }

  function sendCancel(id: number, reason: string): void {
    try {
      send(told('hook.cancel', { id, reason }));
    } catch {
      // It does not read; then it cannot be told.
    }
  }

  /** The time of a call is over. */
  function giveUp({
    question: { id, method, timeoutMs, ofMs = timeoutMs },
    subscriber,
    readBefore,
  }: PendingCall): void {
    sendCancel(id, 'time-out');
    const { traffic } = process_;
    // What waits to be written would keep the host alive for ever.
    if (traffic.unread > 0 && traffic.read <= readBefore) {
      host.junk('', `it read nothing for ${timeoutMs} ms and is stopped`);
      void process_.stop(0);
    }
    const message = `Hook process "${host.name}" did not answer ${method} within ${ofMs} ms.`;
    subscriber.error(new HooklineError('HOOK_TIMEOUT', message));
  }

  const begin: RpcConnection['begin'] = (subscriber, method, params, timeoutMs, read, ofMs = timeoutMs) => {
    if (subscriber.closed) return;
    if (endedHow !== undefined) return subscriber.error(failed(`${endedHow}.`));
    lastId += 1;
    const id = lastId;
    const call = new PendingCall({ id, method, timeoutMs, ofMs }, subscriber, read, cancel);
    subscriber.add(call);
    // The host waits for the time-out of a call, and so for the answer; for the process as such it does not.
    pending.add(call);
    try {
      send(`"id":${id},${told(method, params)}`);
    } catch (thrown) {
      pending.take(id);
      return subscriber.error(thrown);
    }
    call.readBefore = process_.traffic.read;
  };

  return {
    call: (method, params, timeoutMs) => new Observable((subscriber) => begin(subscriber, method, params, timeoutMs)),
    begin,
    notify(method, params) {
      if (endedHow === undefined) send(told(method, params));
    },
    respond(id, given) {
      const field = 'error' in given ? { error: { code: given.code ?? -32_000, message: given.error } } : given;
      if (endedHow !== undefined) return;
      try {
        send(jsonFields({ id, ...field }));
      } catch (thrown) {
        // It asks and does not read: there is nothing that could be done for it.
        host.junk('', messageOf(thrown));
        void process_.stop(0);
      }
    },
    ended$: ended$.asObservable(),
    stop: () => process_.stop(),
  };
}

function told(method: string, params: RpcParams): string {
  return `"method":"${method}","params":${paramsJson(params)}`;
}
