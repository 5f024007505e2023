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
import { closeOrphans } from './close-orphans.ts';
import type { TranscriptStore } from './transcript-store.ts';

/** A session's messages as one run sees and extends them. The store is written at consistent points only, by `commit`. */
export interface Conversation {
  readonly messages: readonly Message[];
  /** The messages with others around them: a request. */
  between(before: readonly Message[], after: readonly Message[]): readonly Message[];
  readonly length: number;
  remember(...messages: readonly Message[]): void;
  /** Puts `message` in the place of `old`; whether that was there. */
  replace(old: Message, message: Message): boolean;
  /** Keeps the first `length` messages. */
  cut(length: number): void;
  /** Forgets all that this run has remembered. */
  rollback(): void;
  /** Writes what has changed since the last commit. Gives what to wait for, nothing where the store was synchronous. */
  commit(): Observable<never> | undefined;
}

/** Loads a session; calls that an earlier run left open are closed. Fails with `TRANSCRIPT_FAILED`. */
export function loadConversation(
  store: TranscriptStore,
  sessionId: string,
  time: PortTime,
): Conversation | Observable<Conversation> {
  const create = (loaded: readonly Message[]) => createConversation(store, sessionId, checkLoaded(loaded), time);
  const loaded = ask('load', time, () => store.load(sessionId));
  return isObservable(loaded) ? loaded.pipe(defaultIfEmpty([]), last(), map(create)) : create(loaded);
}

function checkLoaded(loaded: readonly Message[]): readonly Message[] {
  const isMessage = (one: Message | null): boolean => typeof one?.role === 'string' && Array.isArray(one.parts);
  if (Array.isArray(loaded) && loaded.every(isMessage)) return loaded;
  const fault = Array.isArray(loaded)
    ? `gave something else than a message at ${loaded.findIndex((one) => !isMessage(one))}`
    : 'gave no list of messages';
  throw new HooklineError('TRANSCRIPT_FAILED', `The transcript store ${fault} when it loaded the session.`);
}

function createConversation(
  store: TranscriptStore,
  sessionId: string,
  loaded: readonly Message[],
  time: PortTime,
): Conversation {
  /** Every message in here is frozen deeply: a long conversation is asked for at each step, and must not be walked each time. */
  const list = closeOrphans(loaded).map((message) => freezeLasting(message));
  /** What others see of the list; made anew when it is asked for after a change, for copying a long one takes its time. */
  let shown: readonly Message[] | undefined;
  let stored = loaded.length;
  /** Up to here the store holds what `list` holds. */
  let same = firstDifference(loaded, list);
  /** Up to here `list` has stayed as it was when the write under way began. */
  let untouched = 0;
  let writing: Observable<never> | undefined;
  /** A write that was late may yet arrive; another one behind it would write twice. */
  let lost: { readonly thrown: LateStore; told: boolean } | undefined;

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
      if (lost?.told) return undefined;
      if (lost) {
        const { thrown } = lost;
        lost.told = true;
        return throwError(() => thrown);
      }
      if (!writing && same === list.length && stored === same) return undefined;
      const written = writing ? after(writing.pipe(catchError(goOn)), write) : write();
      if (!written) return undefined;
      // A write goes on to its end even if the run is cancelled meanwhile; whoever commits next waits for it.
      const done$ = new ReplaySubject<never>();
      writing = done$;
      written
        .pipe(
          tap({
            error(thrown) {
              if (isError(thrown, LateStore)) lost = { thrown, told: done$.observed };
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

/** What a store answers: at once, or as an Observable. */
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

/** Does what comes next when `first` is over: at once, unless there is something to wait for. */
function after(first: unknown, next: () => Observable<never> | undefined): Observable<never> | undefined {
  return isObservable(first)
    ? concat(
        first.pipe(ignoreElements()),
        defer(() => next() ?? EMPTY),
      )
    : next();
}

/** A store that has not answered in time: what became of the write is unknown. */
class LateStore extends HooklineError {
  constructor(what: string, ms: number) {
    const way = 'Make the store faster, or raise portTimeoutMs of createPipeline()';
    super('TRANSCRIPT_FAILED', `The transcript store did not ${what} the session within ${ms} ms. ${way}.`);
  }
}
