import { Observable } from 'rxjs';
import { resumedKeys } from '../agent/suspend/resumed-keys.ts';
import { waitingCalls } from '../agent/suspend/waiting-call.ts';
import type { SettledEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { isPrompt, textOf, toolCallsOf } from '../events/parts/messages.ts';
import type { PostCall } from '../events/post-call.ts';
import type { PreCall } from '../events/pre-call.ts';
import { sha256 } from '../events/values/sha256.ts';
import { withoutApprovals } from '../events/without-approvals.ts';
import type { Logger } from '../pipeline/logger.ts';
import { carrySteps } from '../pipeline/trace/tracer.ts';
import { digestOf } from './begin-run.ts';
import type { CallNames } from './call-names.ts';
import type { ClientTool } from './chat-request.ts';
import { CLIENT } from './client-tools.ts';
import type { ChatCall, Threads } from './threads.ts';

/** Inputs for storing a suspended run. */
export interface Keeping {
  readonly threads: Threads;
  readonly userId: string;
  readonly threadId: string;
  /** The key of the thread, see `threadKey`. */
  readonly key: string;
  /** Id that the thread stored when the run started. The thread may have continued since. */
  readonly id: string;
  readonly tools: readonly ClientTool[];
  /** The client's names of the calls. */
  readonly names: CallNames;
  /** The posted prompt, and the client's id of it. */
  readonly prompt?: { readonly id: string; readonly message: Message };
  readonly expireMs: number;
  /** See `Beginning`. */
  readonly result?: () => readonly Message[];
  /** Whether the run may be resumed by its id. */
  readonly byRun: boolean;
  readonly log: Logger;
  /** Called with the pending calls before the postCall is emitted. */
  readonly onWaiting: (calls: readonly ChatCall[]) => void;
}

/** Returns the events of a run for clients. A suspended run is stored in its thread before its postCall is emitted. Errors are logged. */
export function storePendingCalls(events$: Observable<SettledEvent>, keeping: Keeping): Observable<SettledEvent> {
  const { log, id, threadId, names } = keeping;
  return new Observable((subscriber) => {
    let keeps: Promise<void> | undefined;
    const fail = (err: unknown): void => {
      log.error({ err, id, threadId }, 'a chat run ended unexpectedly');
      subscriber.error(err);
    };
    return events$.subscribe({
      next(settled) {
        const event = carrySteps(settled, withoutApprovals(settled));
        if (event.type === 'postReasoning')
          for (const { id: call } of toolCallsOf(event.message)) names.give(event.run, call);
        if (event.type === 'preActing') names.of(event.run, event.toolCall.id);
        if (event.type === 'error')
          log.warn({ err: event.error, id, runId: event.run.runId }, 'a chat run reported an error');
        if (event.type === 'preCall' && event.run.depth === 0) keeps = noteChange(event, keeping)?.catch(fail);
        if (event.type === 'postCall' && event.run.depth === 0) {
          if (event.outcome === 'failed') log.error({ reason: event.reason, id, threadId }, 'a chat run failed');
          if (event.snapshot || keeps || keeping.result) {
            const noted = keeps ?? Promise.resolve();
            keeps = noted
              .then(() => keepResult(keeping))
              .then(() => keep(settled as SettledEvent<PostCall>, keeping))
              .then(() => subscriber.next(event), fail);
            return;
          }
        }
        subscriber.next(event);
      },
      error: fail,
      complete: () => {
        if (keeps) void keeps.then(() => subscriber.complete());
        else subscriber.complete();
      },
    });
  });
}

/** Stores that hooks have changed the prompt, so that its turn can be repeated. Returns `undefined` if they have not. */
function noteChange({ messages }: PreCall, keeping: Keeping): Promise<void> | undefined {
  const { threads, key, id, prompt } = keeping;
  const stored = messages.findLast(isPrompt);
  if (!prompt || !stored || textOf(stored) === textOf(prompt.message)) return undefined;
  return (async () => {
    const changed = { promptId: prompt.id, digest: await digestOf(stored) };
    for (;;) {
      const found = await threads.find(key);
      if (found?.thread.latest !== id) return;
      if (await threads.write(key, { ...found.thread, changed }, found.version)) return;
    }
  })();
}

/** Maximum size of a stored result, in characters of JSON. */
const MOST_RESULT = 1_000_000;

/** Stores the messages of a resumed run, so that its answers can be repeated. */
async function keepResult({ threads, key, id, result }: Keeping): Promise<void> {
  const messages = result?.();
  if (!messages || JSON.stringify(messages).length > MOST_RESULT) return;
  for (;;) {
    const found = await threads.find(key);
    if (found?.thread.latest !== id || !found.thread.answered) return;
    const answered = { ...found.thread.answered, result: [...messages] };
    if (await threads.write(key, { ...found.thread, answered }, found.version)) return;
  }
}

async function keep({ run, snapshot }: PostCall, keeping: Keeping): Promise<void> {
  const { threads, key, tools, id } = keeping;
  if (!snapshot) return;
  const expiresAt = new Date(Date.now() + keeping.expireMs).toISOString();
  const own = new Set(tools.map(({ name }) => name));
  const places = new Map([...resumedKeys(snapshot)].map(([place, key]) => [key, place]));
  const named = (await waitingCalls(snapshot)).map(async (call) => {
    const place = await sha256(`${run.runId}\n${call.key}`);
    return {
      ...call,
      id: `${place.slice(0, 16)}.${call.hash}`,
      expiresAt,
      client: call.by === CLIENT && own.has(call.tool),
      shown: keeping.names.byKey(places.get(call.key) ?? '') ?? call.toolCallId,
    };
  });
  const calls = await Promise.all(named);
  if (keeping.byRun) await threads.nameRun(run.runId, keeping);
  for (;;) {
    const found = await threads.find(key);
    // Another request has continued the thread, so no call is pending any more.
    if (found?.thread.latest !== id) return;
    const waiting = { runId: run.runId, calls, tools: [...tools], snapshot };
    if (await threads.write(key, { ...found.thread, waiting }, found.version)) {
      keeping.onWaiting(calls);
      return;
    }
  }
}
