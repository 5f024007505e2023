import { Observable, Subject } from 'rxjs';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { sha256Hex, toHex } from '../../hashes/sha256.ts';
import type { Answer, AskFunction, Question, Remember } from './ask-function.ts';

/** A call of an active run that requires approval. */
export interface InboxCall
  extends Pick<Question, 'run' | 'tool' | 'input' | 'permission' | 'prompt' | 'remembers' | 'elsewhere'> {
  readonly id: string;
  readonly toolCallId: string;
  /** The name of the hook. */
  readonly by: string;
  /** SHA-256, in hexadecimal digits, of the canonical JSON (RFC 8785) of { id, name, input } of the call. */
  readonly hash: string;
  /** ISO 8601 times. */
  readonly askedAt: string;
  readonly expiresAt: string;
}

/** The answer for a call. It applies only to the call with the given hash. */
export interface InboxAnswer {
  readonly action: 'approve' | 'deny';
  readonly by: string;
  readonly hash: string;
  readonly reason?: string;
  /** With an approval: replaces the arguments of the call. */
  readonly input?: JsonObject;
  readonly remember?: Remember;
}

/** The first answer. */
export interface InboxWinner extends Pick<InboxAnswer, 'action' | 'by' | 'reason'> {
  readonly at: string;
}

/** The outcome of an answer. `unknown`: no call with this id is pending or was answered recently. */
export type InboxOutcome =
  | { readonly status: 'accepted'; readonly call: InboxCall }
  | { readonly status: 'answered'; readonly call: InboxCall; readonly winner: InboxWinner }
  | { readonly status: 'changed'; readonly call: InboxCall }
  | { readonly status: 'unknown' };

/** A call is now pending, or no longer. Without `winner`, it ended unanswered. */
export type InboxChange =
  | { readonly type: 'waiting'; readonly call: InboxCall }
  | { readonly type: 'answered'; readonly call: InboxCall; readonly winner?: InboxWinner };

/** Pending calls of active runs in this process. Calls that are pending when the process ends never run. */
export interface Inbox {
  /** For hooks: lists the call until it is answered or the answer is no longer needed. */
  readonly ask: AskFunction;
  /** The newest first. */
  list(): readonly InboxCall[];
  /** Only the first answer counts. */
  answer(id: string, answer: InboxAnswer): InboxOutcome;
  readonly changes$: Observable<InboxChange>;
}

/** The number of answered calls kept for late answers. */
const MOST_ANSWERED = 1_000;

/** Creates an empty inbox. */
export function createInbox(): Inbox {
  const waiting = new Map<string, { readonly call: InboxCall; readonly resolve: (answer: Answer) => void }>();
  const answered = new Map<string, { readonly call: InboxCall; readonly winner: InboxWinner }>();
  const changes$ = new Subject<InboxChange>();

  function settle(call: InboxCall, winner?: InboxWinner): void {
    if (!waiting.delete(call.id)) return;
    if (winner) {
      answered.set(call.id, { call, winner });
      const [oldest] = answered.keys();
      if (answered.size > MOST_ANSWERED && oldest !== undefined) answered.delete(oldest);
    }
    changes$.next({ type: 'answered', call, ...(winner && { winner }) });
  }

  return {
    changes$: changes$.asObservable(),
    list: () => [...waiting.values()].map(({ call }) => call).reverse(),
    ask: ({ tool, input, permission, run, prompt, remembers, elsewhere }, { signal, call: judged, by, timeoutMs }) =>
      new Observable<Answer>((subscriber) => {
        const now = Date.now();
        const call: InboxCall = {
          id: `${run.runId}.${toHex(crypto.getRandomValues(new Uint8Array(8)))}`,
          run,
          toolCallId: judged.id,
          tool,
          input,
          permission,
          prompt,
          by,
          hash: sha256Hex(canonicalJson(judged as unknown as JsonObject)),
          askedAt: new Date(now).toISOString(),
          expiresAt: new Date(now + timeoutMs).toISOString(),
          ...(remembers && { remembers }),
          ...(elsewhere && { elsewhere }),
        };
        const withdraw = (): void => subscriber.complete();
        if (signal.aborted) return withdraw();
        signal.addEventListener('abort', withdraw);
        subscriber.add(() => {
          signal.removeEventListener('abort', withdraw);
          settle(call);
        });
        waiting.set(call.id, {
          call,
          resolve(answer) {
            subscriber.next(answer);
            subscriber.complete();
          },
        });
        changes$.next({ type: 'waiting', call });
      }),
    answer(id, { action, by, hash, reason, input, remember }) {
      const late = answered.get(id);
      if (late) return { status: 'answered', ...late };
      const found = waiting.get(id);
      if (!found) return { status: 'unknown' };
      const { call, resolve } = found;
      if (call.hash !== hash) return { status: 'changed', call };
      const given = reason !== undefined && { reason };
      const at = new Date().toISOString();
      settle(call, { action, by, at, ...given });
      const more = { ...(input !== undefined && { input }), ...(remember && { remember }) };
      resolve({ approved: action === 'approve', by, at, ...given, ...more });
      return { status: 'accepted', call };
    },
  };
}
