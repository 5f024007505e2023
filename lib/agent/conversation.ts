import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  EMPTY,
  from,
  ignoreElements,
  isObservable,
  last,
  map,
  type Observable,
  of,
} from 'rxjs';
import { HooklineError } from '../errors.ts';
import { deepFreeze } from '../events/deep-freeze.ts';
import type { Message } from '../events/message.ts';
import { closeOrphans } from './close-orphans.ts';
import type { TranscriptStore } from './transcript-store.ts';

/** A session's messages as one run sees and extends them. The store is written at consistent points only, by `commit`. */
export interface Conversation {
  readonly messages: readonly Message[];
  remember(...messages: readonly Message[]): void;
  /** Puts `message` in the place of `old`. */
  replace(old: Message, message: Message): void;
  /** Keeps the first `length` messages. */
  cut(length: number): void;
  /** Forgets all that this run has remembered. */
  rollback(): void;
  /** Writes what has changed since the last commit, then completes. Synchronous when the store is. */
  commit(): Observable<never>;
}

/** Loads a session; calls that an earlier run left open are closed. Fails with `TRANSCRIPT_FAILED`. */
export function loadConversation(store: TranscriptStore, sessionId: string): Observable<Conversation> {
  return ask('load', () => store.load(sessionId)).pipe(
    defaultIfEmpty([] as readonly Message[]),
    last(),
    map((loaded) => createConversation(store, sessionId, loaded)),
  );
}

function createConversation(store: TranscriptStore, sessionId: string, loaded: readonly Message[]): Conversation {
  let messages: readonly Message[] = Object.freeze(closeOrphans(loaded).map((message) => deepFreeze(message)));
  let stored = loaded.length;
  /** Up to here the store holds what `messages` holds. */
  let same = firstDifference(loaded, messages);
  const before = messages.length;

  const conversation: Conversation = {
    get messages() {
      return messages;
    },
    remember(...added) {
      messages = Object.freeze([...messages, ...added.map((message) => deepFreeze(message))]);
    },
    replace(old, message) {
      const index = messages.lastIndexOf(old);
      if (index < 0 || old === message) return;
      messages = Object.freeze(messages.with(index, deepFreeze(message)));
      same = Math.min(same, index);
    },
    cut(length) {
      messages = Object.freeze(messages.slice(0, length));
      same = Math.min(same, length);
    },
    rollback: () => conversation.cut(before),
    commit: () =>
      defer(() => {
        const start = same;
        const cut = start < stored;
        const added = messages.slice(start);
        same = messages.length;
        stored = messages.length;
        return concat(
          cut ? ask('truncate', () => store.truncate(sessionId, start)) : EMPTY,
          added.length > 0 ? ask('append', () => store.append(sessionId, added)) : EMPTY,
        ).pipe(ignoreElements());
      }),
  };
  return conversation;
}

function firstDifference(a: readonly Message[], b: readonly Message[]): number {
  const index = a.findIndex((message, at) => message !== b[at]);
  return index < 0 ? a.length : index;
}

function ask<T>(what: string, call: () => T | Promise<T> | Observable<T>): Observable<T> {
  return defer(() => {
    const returned = call();
    if (isObservable(returned)) return returned;
    return returned instanceof Promise ? from(returned) : of(returned);
  }).pipe(
    catchError((thrown) => {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      throw new HooklineError('TRANSCRIPT_FAILED', `The transcript store could not ${what} the session: ${why}`, {
        cause: thrown,
      });
    }),
  );
}
