import { Observable } from 'rxjs';
import type { Abort } from '../events/decision.ts';
import type { ChunkEvent } from '../events/hook-event.ts';
import { createLane, type Lane } from './lane.ts';
import type { OnStage, ThroughStage } from './plan.ts';
import { settle } from './run-scope.ts';
import { createSink } from './sink.ts';
import { StepFailure } from './step-failure.ts';
import type { StepScope } from './step-scope.ts';

/** Counts the attempts of one step; chunks carry the number. */
export interface Attempts {
  current: number;
}

/** Where it is gathered what a stream comes to. */
export interface Gathering<C extends ChunkEvent> {
  stopped: boolean;
  aborted: Abort | undefined;
  left(chunk: C): void;
}

/** What a step may do to the stream that it feeds. */
export interface Feeding<C extends ChunkEvent> {
  readonly lane: Lane<C>;
  readonly over: () => boolean;
  /** Says whether the source pushes, so that what it may be ahead has to be bounded. */
  pushes(pushes: boolean): void;
  fail(failure: StepFailure): void;
  /** Ends the stream without flushing. */
  leave(): void;
}

/** The source of a stream: raw items, what becomes of each, and who is to blame for an error. */
export interface Feeder<Item> {
  start(): Observable<Item>;
  take(item: Item): void;
  failureOf(thrown: unknown): StepFailure;
}

/**
 * Sends the raw items of a step through its chunk lane. The chunks that leave are settled and emitted by `step.emit`. The Observable
 * itself only ends: with a `StepFailure`, or when everything has left; early, without flushing, on abort and cancel.
 */
export function streamThroughLane<C extends ChunkEvent, Item>(
  step: StepScope,
  stages: readonly (OnStage | ThroughStage)[],
  gathering: Gathering<C>,
  feed: (feeding: Feeding<C>) => Feeder<Item>,
): Observable<never> {
  const { scope } = step;
  const source = step.phase === 'acting' ? 'tool' : 'model';
  return new Observable<never>((subscriber) => {
    let over = false;
    let pushed = true;
    let feeder: Feeder<Item> | undefined;

    const sink = createSink<Item>({
      next(item) {
        if (over) return;
        try {
          feeder?.take(item);
        } catch (thrown) {
          fail(new StepFailure(source, thrown));
        }
      },
      error(thrown) {
        if (!over && feeder) fail(feeder.failureOf(thrown));
      },
      complete() {
        if (!over) lane.end();
      },
    });
    const halt = (): void => {
      over = true;
      sink.unsubscribe();
    };
    const close = (): void => {
      halt();
      lane.close();
    };
    const fail = (failure: StepFailure): void => {
      close();
      subscriber.error(failure);
    };
    const leave = (): void => {
      close();
      subscriber.complete();
    };
    const lane = createLane<C>(step, stages, () => pushed, {
      left(chunk) {
        gathering.left(chunk);
        step.emit(settle<ChunkEvent>(scope, chunk));
      },
      finished() {
        gathering.stopped = true;
        halt();
      },
      aborted(chunk) {
        if (chunk.decision?.action === 'abort') gathering.aborted = chunk.decision;
        close();
        step.emit(settle<ChunkEvent>(scope, chunk));
        subscriber.complete();
      },
      failed: fail,
      drained: () => subscriber.complete(),
    });

    feeder = feed({
      lane,
      over: () => over,
      pushes(pushes) {
        pushed = pushes;
      },
      fail,
      leave,
    });
    subscriber.add(close);
    subscriber.add(step.lifetime.onCancel(leave));
    if (!over) feeder.start().subscribe(sink);
  });
}
