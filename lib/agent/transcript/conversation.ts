import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  EMPTY,
  finalize,
  ignoreElements,
  isObservable,
  last,
  map,
  type Observable,
  ReplaySubject,
  tap,
  throwError,
} from 'rxjs';
import { isError, messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import type { Message } from '../../events/parts/message.ts';
import { freezeLasting, freezeListOfFrozen } from '../../events/values/deep-freeze.ts';
import { isAsync } from '../../events/values/is-async.ts';
import { type PortTime, withinPortTime } from '../../pipeline/run/within-port-time.ts';
import type { TranscriptStore } from '../../store/transcripts/transcript-store.ts';
import { closeOrphans } from './close-orphans.ts';

/** The messages of a session, as one run reads and extends them. Only `commit` writes to the store, at consistent points. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** The messages as they were in the store, with open calls. */
  readonly loaded: readonly Message[];
  /** Returns the messages between others, for a request. */
  between(before: readonly Message[], after: readonly Message[]): readonly Message[];
  readonly length: number;
  remember(...messages: readonly Message[]): void;
  /** Replaces `old` with `message`. Returns false if `old` is not found. */
  replace(old: Message, message: Message): boolean;
  /** Keeps the first `length` messages. */
  cut(length: number): void;
  /** Removes all messages of this run. */
  rollback(): void;
  /** Writes the changes since the last commit. Returns an Observable to wait for, or `undefined` if the store was synchronous. */
  commit(): Observable<never> | undefined;
}

/** Loads a session and closes calls that an earlier run left open. Fails with `TRANSCRIPT_FAILED`. */
export function loadConversation(
  store: TranscriptStore,
  sessionId: string,
  time: PortTime,
): Conversation | Observable<Conversation> {
  const create = (loaded: readonly Message[]) => createConversation(store, sessionId, loaded, time);
  const loaded = loadMessages(store, sessionId, time);
  return isObservable(loaded) ? loaded.pipe(map(create)) : create(loaded);
}

/** Loads the messages of a session. Fails with `TRANSCRIPT_FAILED`. */
export function loadMessages(
  store: TranscriptStore,
  sessionId: string,
  time: PortTime,
): readonly Message[] | Observable<readonly Message[]> {
  const loaded = ask('load', time, () => store.load(sessionId));
  return isObservable(loaded) ? loaded.pipe(defaultIfEmpty([]), last(), map(checkLoaded)) : checkLoaded(loaded);
}

function checkLoaded(loaded: readonly Message[]): readonly Message[] {
  const isMessage = (one: Message | null): boolean => typeof one?.role === 'string' && Array.isArray(one.parts);
  if (Array.isArray(loaded) && loaded.every(isMessage)) return loaded;
  const issue = Array.isArray(loaded)
    ? `returned something other than a message at index ${loaded.findIndex((one) => !isMessage(one))}`
    : 'returned no list of messages';
  throw new HooklineError('TRANSCRIPT_FAILED', `The transcript store failed to load the session: it ${issue}.`);
}

function createConversation(
  store: TranscriptStore,
  sessionId: string,
  loaded: readonly Message[],
  time: PortTime,
): Conversation {
  /** Messages are deeply frozen once. A long conversation is read at each step and must not be traversed each time. */
  const list = closeOrphans(loaded).map((message) => freezeLasting(message));
  /** A copy of the list for readers. It is created on demand after a change, because copying a long list takes time. */
  let shown: readonly Message[] | undefined;
  let stored = loaded.length;
  /** The number of leading messages that are the same in the store and in `list`. */
  let same = firstDifference(loaded, list);
  /** The number of leading messages of `list` that have not changed since the current write started. */
  let untouched = 0;
  let writing: Observable<never> | undefined;
  /** A late write may still succeed, and a second one would write the messages twice. */
  let lost: { readonly thrown: LateStore; reported: boolean } | undefined;

  const touch = (index: number): void => {
    same = Math.min(same, index);
    untouched = Math.min(untouched, index);
  };
  const write = (): Observable<never> | undefined => {
    const start = same;
    const end = list.length;
    const added = list.slice(start);
    untouched = end;
    const cut = start < stored ? ask('truncate', time, () => store.truncate(sessionId, start)) : undefined;
    return after(cut, () => {
      stored = Math.min(stored, start);
      const grown = added.length > 0 ? ask('append', time, () => store.append(sessionId, added)) : undefined;
      return after(grown, () => {
        stored = end;
        same = untouched;
        return undefined;
      });
    });
  };

  const goOn = (thrown: unknown): Observable<never> => (isError(thrown, LateStore) ? throwError(() => thrown) : EMPTY);

  const conversation: Conversation = {
    loaded,
    get messages() {
      shown ??= freezeListOfFrozen([...list]);
      return shown;
    },
    between(before, after) {
      if (before.length + after.length === 0) return conversation.messages;
      for (const message of [...before, ...after]) freezeLasting(message);
      return freezeListOfFrozen([...before, ...list, ...after]);
    },
    get length() {
      return list.length;
    },
    remember(...added) {
      for (const message of added) list.push(freezeLasting(message));
      if (added.length > 0) shown = undefined;
    },
    replace(old, message) {
      const index = list.lastIndexOf(old);
      if (index < 0) return false;
      if (old === message) return true;
      list[index] = freezeLasting(message);
      shown = undefined;
      touch(index);
      return true;
    },
    cut(length) {
      if (length >= list.length) return;
      list.length = length;
      shown = undefined;
      touch(length);
    },
    rollback() {
      touch(firstDifference(loaded, list));
      list.length = 0;
      for (const message of loaded) list.push(freezeLasting(message));
      shown = undefined;
    },
    commit() {
      if (lost?.reported) return undefined;
      if (lost) {
        const { thrown } = lost;
        lost.reported = true;
        return throwError(() => thrown);
      }
      if (!writing && same === list.length && stored === same) return undefined;
      const written = writing ? after(writing.pipe(catchError(goOn)), write) : write();
      if (!written) return undefined;
      // A write completes even if the run is cancelled. The next commit waits for it.
      const done$ = new ReplaySubject<never>();
      writing = done$;
      written
        .pipe(
          tap({
            error(thrown) {
              if (isError(thrown, LateStore)) lost = { thrown, reported: done$.observed };
            },
          }),
          finalize(() => {
            if (writing === done$) writing = undefined;
          }),
        )
        .subscribe(done$);
      return done$;
    },
  };
  return conversation;
}

function firstDifference(a: readonly Message[], b: readonly Message[]): number {
  const index = a.findIndex((message, at) => message !== b[at]);
  return index < 0 ? a.length : index;
}

/** Calls the store. Returns its answer, or an Observable of it. */
function ask<T>(what: string, time: PortTime, call: () => T | Promise<T> | Observable<T>): T | Observable<T> {
  const failed = (thrown: unknown): never => {
    if (isError(thrown, LateStore)) throw thrown;
    const why = messageOf(thrown);
    throw new HooklineError('TRANSCRIPT_FAILED', `The transcript store could not ${what} the session: ${why}`, {
      cause: thrown,
    });
  };
  try {
    const returned = call();
    if (!isAsync(returned)) return returned as T;
    const late = (ms: number): LateStore => new LateStore(what, ms);
    return withinPortTime(returned as Observable<T>, time, late).pipe(catchError(failed));
  } catch (thrown) {
    return failed(thrown);
  }
}

/** Runs `next` after `first`: synchronously, unless `first` is asynchronous. */
function after(first: unknown, next: () => Observable<never> | undefined): Observable<never> | undefined {
  return isObservable(first)
    ? concat(
        first.pipe(ignoreElements()),
        defer(() => next() ?? EMPTY),
      )
    : next();
}

/** A store that did not answer in time. The outcome of the write is unknown. */
class LateStore extends HooklineError {
  constructor(what: string, ms: number) {
    const way = 'Make the store faster, or increase portTimeoutMs of createPipeline()';
    super('TRANSCRIPT_FAILED', `The transcript store did not ${what} the session within ${ms} ms. ${way}.`);
  }
}
