import { Observable, ReplaySubject, type SchedulerLike, type Subscriber } from 'rxjs';
import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import { jsonFields } from './json-fields.ts';
import { type LineProcess, type LineProgram, startLineProcess } from './line-process.ts';
import { paramsJson, type RpcParams } from './params-json.ts';
import { PendingCall, type Read } from './pending-call.ts';
import { PendingCalls } from './pending-calls.ts';
import { type RpcReply, readRpcMessage } from './rpc-message.ts';

/** Handles messages of a hook process that are not replies. */
export interface RpcHost {
  readonly name: string;
  readonly scheduler: SchedulerLike;
  /** A request (with `id`) or a notification of the process. */
  request(method: string, params: unknown, id: string | number | undefined): void;
  /** A call was answered with a result. */
  replied?(): void;
  /** A line that is not a message, or that belongs to no call. */
  junk(line: string, why: string): void;
  /** A line of standard error. */
  log(line: string): void;
}

/** Answer to a request of a hook process: a result or an error. */
export type RpcAnswer = { readonly result: unknown } | { readonly error: string; readonly code?: number };

/** One start of a hook process, until its end: JSON-RPC 2.0 in lines. Any number of calls can be in flight. */
export interface RpcConnection {
  /** Calls a method. Errors with `HOOK_TIMEOUT` or `PROCESS_FAILED`. Unsubscribing sends `hook.cancel` to the process. */
  call(method: string, params: RpcParams, timeoutMs: number): Observable<unknown>;
  /** Does the same for an existing subscriber. `read` converts the result, and its errors are forwarded. `ofMs` is the whole timeout for messages. */
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
  /** Emits once how the process ended, and at once if it already has. */
  readonly ended$: Observable<string>;
  stop(): Promise<void>;
}

/** Finds the id at the beginning of a reply that was dropped for its length. */
const EARLY_ID = /^\s*\{(?:\s*"jsonrpc"\s*:\s*"[^"]*"\s*,)?\s*"id"\s*:\s*"?(\d+)/i;

/** Starts a program and connects to it. */
export function connectProcess(program: LineProgram, host: RpcHost): RpcConnection {
  const pending = new PendingCalls(host.scheduler, giveUp);
  const ended$ = new ReplaySubject<string>(1);
  let lastId = 0;
  let endedHow: string | undefined;

  const failed = (issue: string): HooklineError =>
    new HooklineError('PROCESS_FAILED', `Hook process "${host.name}" ${issue}`);

  const process_: LineProcess = startLineProcess(program, {
    line(line) {
      // No output of a program may crash the host.
      try {
        take(line);
      } catch (thrown) {
        host.junk(line, messageOf(thrown));
      }
    },
    overlong(head) {
      const issue = failed(`wrote a line of more than ${program.maxLine} characters, which was dropped.`);
      const id = Number(EARLY_ID.exec(head)?.[1]);
      const affected = pending.has(id) ? [id] : pending.ids();
      host.junk(head.slice(0, 80), issue.message);
      for (const one of affected) pending.take(one)?.subscriber.error(issue);
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

  /** Cancels a call and informs the process. */
  function cancel(id: number, reason: string): void {
    if (pending.take(id)) sendCancel(id, reason);
  }

  function sendCancel(id: number, reason: string): void {
    try {
      send(notification('hook.cancel', { id, reason }));
    } catch {
      // The process does not read, so it cannot be informed.
    }
  }

  /** Handles the timeout of a call. */
  function giveUp({
    question: { id, method, timeoutMs, ofMs = timeoutMs },
    subscriber,
    readBefore,
  }: PendingCall): void {
    sendCancel(id, 'time-out');
    const { traffic } = process_;
    // Pending writes would keep the host alive forever.
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
    // The timeout of a call keeps the host alive for the answer. The process alone does not.
    pending.add(call);
    try {
      send(`"id":${id},${notification(method, params)}`);
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
      if (endedHow === undefined) send(notification(method, params));
    },
    respond(id, given) {
      const field = 'error' in given ? { error: { code: given.code ?? -32_000, message: given.error } } : given;
      if (endedHow !== undefined) return;
      try {
        send(jsonFields({ id, ...field }));
      } catch (thrown) {
        // It sends requests but does not read, so it cannot be answered.
        host.junk('', messageOf(thrown));
        void process_.stop(0);
      }
    },
    ended$: ended$.asObservable(),
    stop: () => process_.stop(),
  };
}

function notification(method: string, params: RpcParams): string {
  return `"method":"${method}","params":${paramsJson(params)}`;
}
