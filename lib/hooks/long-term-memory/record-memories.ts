import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  finalize,
  from,
  map,
  type Observable,
  of,
  ReplaySubject,
  type SchedulerLike,
  tap,
  timeout,
} from 'rxjs';
import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { isAsync } from '../../events/values/is-async.ts';
import type { Logger } from '../../pipeline/logger.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { cutText } from '../text/cut-text.ts';
import { leftMemories } from './left-memories.ts';
import type { Exchange, MemorySettings } from './long-term-memory-options.ts';
import { type Memories, type Memory, type MemoryOwner, makeMemory } from './memories.ts';

/** The maximum number of exchanges that wait for the store. */
const MOST_WAITING = 1_000;
/** The maximum number of characters for cut notices and speaker names. */
const NOTICE = 60;
/** Timeout in milliseconds of the store and of `extract`. */
const WRITE_MS = 30_000;

/** The log and the clock for a memory. */
export interface Recording {
  readonly log: Logger;
  readonly scheduler: SchedulerLike;
}

/** Writes memories to the store, in order for each owner. It never errors: failures are logged. */
export interface Recorder {
  record(exchange: Exchange, by: Recording): Observable<never>;
  /** Stores the memories of ended processes, once. Completes when that is done. */
  begin(by: Recording): Observable<never>;
  /** Lists all memories of an owner, the oldest first, in the store or in files. */
  list(owner: MemoryOwner, now: number): Observable<readonly Memory[]>;
  /** Deletes one memory of an owner, or all, wherever it is. Waiting memories are not recorded. Emits the number of deleted memories. */
  forget(owner: MemoryOwner, id?: string): Observable<number>;
}

/** An owner's memories on their way to the store. */
interface Waiting {
  readonly owner: MemoryOwner;
  memories: readonly Memory[];
  forgotten: boolean;
}

/** Creates the recorder. `folder` is for memories that are not stored when the process ends. */
export function createRecorder(memories: Memories, settings: MemorySettings, folder: string | undefined): Recorder {
  const { extract = bothSides(settings.maxMemoryChars) } = settings;
  const left = leftMemories(folder, settings.name, memories);
  const inTurn = oneAtATime();
  let taken: ReplaySubject<never> | undefined;
  const waiting = new Set<Waiting>();

  /** `added` is called at the owner's turn, because memories may have been deleted by then. */
  const add = (owner: MemoryOwner, added: () => readonly Memory[], { scheduler }: Recording): Observable<never> =>
    inTurn(JSON.stringify(memories.keyOf(owner)), () => {
      const now = added();
      return now.length === 0 ? EMPTY : memories.add(owner, now, scheduler.now());
    }).pipe(
      timeout({ first: WRITE_MS, scheduler }),
      concatMap(() => EMPTY),
    );

  function lost(by: Recording, err: unknown): Observable<never> {
    by.log.warn({ err, code: `${settings.name}-lost` }, 'an exchange could not be remembered');
    return EMPTY;
  }

  function later(by: Recording, err: unknown): Observable<never> {
    by.log.warn({ err }, 'the store rejected an exchange; the next process tries again');
    return EMPTY;
  }

  function takeUp(by: Recording): Observable<never> {
    return from(left.files()).pipe(
      concatMap(({ read, done }) =>
        defer(() => {
          const found = read();
          return found ? add(found.owner, () => read()?.memories ?? [], by).pipe(tap({ complete: done })) : EMPTY;
        }).pipe(catchError((thrown) => lost(by, thrown))),
      ),
    );
  }

  function forgetWaiting(owner: MemoryOwner, id: string | undefined): void {
    for (const one of waiting) {
      if (!memories.isOf(one.owner, owner)) continue;
      one.forgotten ||= id === undefined;
      one.memories = one.memories.filter((memory) => id !== undefined && memory.id !== id);
    }
  }

  /** Completes when the store has accepted or rejected all pending memories. */
  function settled(owner: MemoryOwner): Observable<never> {
    const keys = [...waiting].filter((one) => memories.isOf(one.owner, owner)).map((one) => memories.keyOf(one.owner));
    const turns = from(new Set(keys.map((key) => JSON.stringify(key)))).pipe(
      concatMap((key) => inTurn(key, () => EMPTY)),
    );
    return concat(taken ?? EMPTY, turns);
  }

  return {
    begin: (by) =>
      defer(() => {
        if (taken) return taken;
        taken = new ReplaySubject();
        // Continues after an unsubscribe.
        defer(() => takeUp(by))
          .pipe(catchError((thrown) => lost(by, thrown)))
          .subscribe(taken);
        return taken;
      }),
    list: (owner, now) =>
      memories.list(owner, now).pipe(
        map((kept) => {
          const young = left.list(owner).filter(({ at }) => at > now - settings.maxAgeMs);
          const byId = new Map([...young, ...kept].map((memory) => [memory.id, memory]));
          return [...byId.values()].sort((a, b) => a.at - b.at);
        }),
      ),
    forget: (owner, id) =>
      defer(() => {
        // Rejects an owner without a user and a session before deleting anything.
        memories.isOf(owner, owner);
        forgetWaiting(owner, id);
        return concat(
          settled(owner),
          defer(() => {
            const gone = left.forget(owner, id);
            return memories.forget(owner, id).pipe(map((more) => gone + more));
          }),
        );
      }),
    record: (exchange, by) =>
      defer(() => {
        if (waiting.size >= MOST_WAITING)
          return lost(by, new Error(`${waiting.size} exchanges are already queued for the store`));
        const { userId, sessionId } = exchange.run;
        const owner = { ...(userId !== undefined && { userId }), sessionId };
        const one: Waiting = { owner, memories: [], forgotten: false };
        waiting.add(one);
        return asked(extract, exchange).pipe(
          timeout({ first: WRITE_MS, scheduler: by.scheduler }),
          concatMap((texts) => {
            const made = texts
              .filter((text) => text.trim() !== '')
              .map((text) =>
                makeMemory(cutText(text, settings.maxMemoryChars - NOTICE), sessionId, by.scheduler.now()),
              );
            if (made.length === 0 || one.forgotten) return EMPTY;
            one.memories = made;
            const now = () => one.memories;
            const held = left.hold(owner, now);
            return add(owner, now, by).pipe(
              tap({ complete: held.done }),
              catchError((thrown) => {
                if (now().length > 0) return held.leave() ? later(by, thrown) : lost(by, thrown);
                held.done();
                return EMPTY;
              }),
            );
          }),
          catchError((thrown) => lost(by, thrown)),
          finalize(() => {
            waiting.delete(one);
          }),
        );
      }),
  };
}

function asked(extract: NonNullable<MemorySettings['extract']>, exchange: Exchange): Observable<readonly string[]> {
  return defer(() => {
    const texts = extract(exchange);
    return isAsync(texts) ? from(texts) : of(texts);
  }).pipe(map((texts) => parseOptions('the result of extract', z.array(z.string()), texts)));
}

/** Returns the texts of both sides, each cut separately. */
function bothSides(maxChars: number): NonNullable<MemorySettings['extract']> {
  const side = Math.floor(maxChars / 2) - NOTICE;
  return ({ user, answer }) => [`User: ${cutText(user, side)}\nAssistant: ${cutText(answer, side)}`];
}
