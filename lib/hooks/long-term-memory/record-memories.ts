import {
  catchError,
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
import { leftBehind } from './left-behind.ts';
import type { Exchange, MemorySettings } from './long-term-memory-options.ts';
import { type Memories, type MemoryOwner, makeMemory, memorySchema } from './memories.ts';

/** So many exchanges may wait for the store. */
const MOST_WAITING = 1_000;
/** What is put in the place of what is cut out, and names of the sides, take no more characters. */
const NOTICE = 60;
/** A store, or an `extract`, that takes longer is taken for broken. */
const WRITE_MS = 30_000;

/** Who writes a memory, and by which clock. */
export interface Recording {
  readonly log: Logger;
  readonly scheduler: SchedulerLike;
}

/** Puts memories into the store, one after the other for each owner. Nothing of it errors: what goes wrong is logged. */
export interface Recorder {
  record(exchange: Exchange, by: Recording): Observable<never>;
  /** Takes up what an ended process has left behind, once; completes when that is done. */
  begin(by: Recording): Observable<never>;
}

const leftSchema = z.object({
  owner: z.object({ userId: z.string().optional(), sessionId: z.string().optional() }),
  memories: z.array(memorySchema),
});
type Left = z.infer<typeof leftSchema>;

/** Makes what records; `folder` is where it leaves what is not in the store yet when the process ends. */
export function createRecorder(memories: Memories, settings: MemorySettings, folder: string | undefined): Recorder {
  const { extract = bothSides(settings.maxMemoryChars) } = settings;
  const left = leftBehind<Left>(folder);
  const inTurn = oneAtATime();
  let taken: ReplaySubject<never> | undefined;
  let waiting = 0;

  const add = (owner: MemoryOwner, added: Left['memories'], { scheduler }: Recording): Observable<never> =>
    inTurn(JSON.stringify(memories.keyOf(owner)), () => memories.add(owner, added, scheduler.now())).pipe(
      timeout({ first: WRITE_MS, scheduler }),
      concatMap(() => EMPTY),
    );

  function lost(by: Recording, err: unknown): Observable<never> {
    by.log.warn({ err, code: `${settings.name}-lost` }, 'what was said could not be remembered');
    return EMPTY;
  }

  function later(by: Recording, err: unknown): Observable<never> {
    by.log.warn({ err }, 'the store did not take what was said; the next process tries again');
    return EMPTY;
  }

  function takeUp(by: Recording): Observable<never> {
    return from(left.takeUp()).pipe(
      concatMap(({ value, done }) =>
        defer(() => {
          const { owner, memories: added } = parseOptions('what an ended process has left behind', leftSchema, value);
          return add(owner, added, by).pipe(tap({ complete: done }));
        }).pipe(catchError((thrown) => lost(by, thrown))),
      ),
    );
  }

  return {
    begin: (by) =>
      defer(() => {
        if (taken) return taken;
        taken = new ReplaySubject();
        // It goes on when nobody waits for it any more.
        defer(() => takeUp(by))
          .pipe(catchError((thrown) => lost(by, thrown)))
          .subscribe(taken);
        return taken;
      }),
    record: (exchange, by) =>
      defer(() => {
        if (waiting >= MOST_WAITING) return lost(by, new Error(`${waiting} others wait for the store already`));
        waiting += 1;
        const { userId, sessionId } = exchange.run;
        const owner = { ...(userId !== undefined && { userId }), sessionId };
        return asked(extract, exchange).pipe(
          timeout({ first: WRITE_MS, scheduler: by.scheduler }),
          concatMap((texts) => {
            const made = texts
              .filter((text) => text.trim() !== '')
              .map((text) =>
                makeMemory(cutText(text, settings.maxMemoryChars - NOTICE), sessionId, by.scheduler.now()),
              );
            if (made.length === 0) return EMPTY;
            const held = left.hold({ owner, memories: made });
            return add(owner, made, by).pipe(
              tap({ complete: held.done }),
              catchError((thrown) => (held.leave() ? later(by, thrown) : lost(by, thrown))),
            );
          }),
          catchError((thrown) => lost(by, thrown)),
          finalize(() => {
            waiting -= 1;
          }),
        );
      }),
  };
}

function asked(extract: NonNullable<MemorySettings['extract']>, exchange: Exchange): Observable<readonly string[]> {
  return defer(() => {
    const texts = extract(exchange);
    return isAsync(texts) ? from(texts) : of(texts);
  }).pipe(map((texts) => parseOptions('what extract gave', z.array(z.string()), texts)));
}

/** What both sides said, each cut by itself. */
function bothSides(maxChars: number): NonNullable<MemorySettings['extract']> {
  const side = Math.floor(maxChars / 2) - NOTICE;
  return ({ user, answer }) => [`User: ${cutText(user, side)}\nAssistant: ${cutText(answer, side)}`];
}
