import { isObservable, Observable, type Subscriber } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { ignoreRejection, isAsyncIterable, isThenable } from '../../events/values/is-async.ts';
import { createLifetime, type Lifetime, type Signalling } from '../flow/lifetime.ts';
import { LoggingSubscriber } from '../flow/logging-subscriber.ts';
import { logTeardown } from '../logger.ts';
import type { StepScope } from '../run/step-scope.ts';

/** The back-pressure of a source. */
export interface Pace {
  /** Whether the source pushes without waiting. */
  pushed: boolean;
  /** Calls back when all items have been processed, possibly at once. */
  whenIdle(callback: () => void): void;
}

/** The lifetime of one answer. */
export interface AnswerTime extends Signalling {
  /** Whether the answer has ended or is no longer needed. */
  readonly over: boolean;
}

/** Options for reading the answer of a model or a tool. */
export interface SourceOptions<T> {
  /** The name of the source in messages: `model "x"`, `tool "y"`. */
  readonly what: string;
  readonly step: StepScope;
  /** The receiver of the items. */
  readonly lane: Pace;
  /** Starts the source. The signal aborts when the answer is no longer needed. */
  start(answer: AnswerTime, push: (item: T) => Promise<void>): unknown;
  /** Converts a plain value to items. Without it, the answer must be a stream. */
  fromValue?(value: unknown): readonly T[];
}

/** After this many items without a pause, the source yields to timers and sockets. */
const BREATH = 512;

const NOT_WANTED = 'no longer wanted';

/**
 * The answer of a model or tool as an Observable that each subscription starts. Observables are used unchanged, async iterables are pulled when the
 * hooks are idle, and promises and values emit that value. Completes when the step is cancelled.
 */
export function createSource<T>(options: SourceOptions<T>): Observable<T> {
  return new Observable<T>((subscriber) => new Answer(options, subscriber).start());
}

/** One answer. It is the subscriber of an answered Observable itself, so that a chunk passes one object here. */
class Answer<T> extends LoggingSubscriber<T> {
  // The fields used for every chunk come first, for speed.
  readonly #subscriber: Subscriber<T>;
  readonly #options: SourceOptions<T>;
  /** Created on demand, because most models and tools do not observe their end. */
  #lifetime: Lifetime | undefined = undefined;
  #over = false;
  /** Cancelled before its end. */
  #cut = false;
  #sinceBreath = 0;

  constructor(options: SourceOptions<T>, subscriber: Subscriber<T>) {
    super(options.step.scope.log);
    this.#options = options;
    this.#subscriber = subscriber;
    subscriber.add(this);
  }

  start(): void {
    this.attempt(() =>
      this.take(
        this.#options.start(this, (item) => this.push(item)),
        false,
      ),
    );
  }

  override unsubscribe(): void {
    if (this.closed) return;
    super.unsubscribe();
    this.#cut = !this.#over;
    // Set first, because a listener may still push items when it sees the end.
    this.#over = true;
    if (this.#cut) this.#lifetime?.cancel(NOT_WANTED);
    this.#lifetime?.release();
  }

  get over(): boolean {
    return this.#over;
  }

  get signal(): AbortSignal {
    return this.lifetime().signal;
  }

  private lifetime(): Lifetime {
    if (this.#lifetime) return this.#lifetime;
    const lifetime = createLifetime(this.#over ? undefined : this.#options.step.lifetime);
    if (this.#cut) lifetime.cancel(NOT_WANTED);
    this.#lifetime = lifetime;
    return lifetime;
  }

  protected override _next(item: T): void {
    this.#subscriber.next(item);
  }

  protected override _error(thrown: unknown): void {
    this.end({ thrown });
  }

  protected override _complete(): void {
    this.end();
  }

  private end(error?: { thrown: unknown }): void {
    if (this.#over) return;
    this.#over = true;
    if (error) this.#subscriber.error(error.thrown);
    else this.#subscriber.complete();
    this.unsubscribe();
  }

  private push(item: T): Promise<void> {
    const { what, lane } = this.#options;
    const settled = new Promise<void>((resolve, reject) => {
      const gone = () => reject(new DOMException(`${what} was cut; nobody listens any more`, 'AbortError'));
      if (this.#over) return gone();
      lane.pushed = true;
      this.#subscriber.next(item);
      if (this.#over) return gone();
      const registration = this.lifetime().onCancel({ cancel: gone });
      lane.whenIdle(() => {
        registration.unsubscribe();
        this.takeTurn(resolve);
      });
    });
    // A tool that does not await its emits must not cause an unhandled rejection.
    settled.catch(() => {});
    return settled;
  }

  private takeTurn(go: () => void): void {
    const { settings } = this.#options.step.scope;
    this.#sinceBreath += 1;
    if (this.#sinceBreath % BREATH !== 0 || settings.virtual) go();
    else settings.scheduler.schedule(go, 0);
  }

  private pull(iterator: AsyncIterator<T>): void {
    if (this.#over) return;
    Promise.resolve(iterator.next()).then(
      (result) => this.attempt(() => this.pulled(iterator, result)),
      (thrown) => this.end({ thrown }),
    );
  }

  private pulled(iterator: AsyncIterator<T>, result: IteratorResult<T>): void {
    if (typeof result !== 'object' || result === null) throw noResult(this.#options, result);
    if (result.done) {
      this.take(result.value, true);
      return;
    }
    this.#subscriber.next(result.value);
    if (!this.#over) this.#options.lane.whenIdle(() => this.takeTurn(() => this.attempt(() => this.pull(iterator))));
  }

  private take(answer: unknown, last: boolean): void {
    const { what, step, lane } = this.#options;
    const { virtual } = step.scope.settings;
    if (!last && isObservable(answer)) {
      lane.pushed = true;
      this.listenTo(answer as Observable<T>);
    } else if (!last && isAsyncIterable<T>(answer)) {
      if (virtual) {
        this.end({ thrown: virtualTime(what, 'an async iterable') });
        return;
      }
      lane.pushed = false;
      const iterator = answer[Symbol.asyncIterator]();
      this.add(() => {
        Promise.resolve(iterator.return?.()).catch((thrown) => logTeardown(this.log, thrown));
      });
      this.attempt(() => this.pull(iterator));
    } else if (isThenable(answer)) {
      if (virtual) {
        ignoreRejection(answer);
        this.end({ thrown: virtualTime(what, 'a promise') });
        return;
      }
      answer.then(
        (value) => this.attempt(() => this.take(value, last)),
        (thrown) => this.end({ thrown }),
      );
    } else if (this.#options.fromValue) {
      for (const item of this.#options.fromValue(answer)) if (!this.#over) this.#subscriber.next(item);
      this.end();
    } else if (last) {
      this.end();
    } else {
      const message = `The ${what} returned neither an Observable nor an async iterable.`;
      this.end({ thrown: new HooklineError('MODEL_FAILED', message) });
    }
  }

  private attempt(action: () => void): void {
    try {
      if (!this.#over) action();
    } catch (thrown) {
      this.end({ thrown });
    }
  }
}

function noResult({ what, step }: Pick<SourceOptions<never>, 'what' | 'step'>, given: unknown): HooklineError {
  const shown = given === null || given === undefined ? String(given) : `a ${typeof given}`;
  return new HooklineError(
    step.phase === 'acting' ? 'TOOL_FAILED' : 'MODEL_FAILED',
    `The ${what} gave an async iterable whose next() gave ${shown}; it must give { done, value }.`,
  );
}

function virtualTime(what: string, found: string): HooklineError {
  return new HooklineError(
    'VIRTUAL_TIME',
    `The ${what} gave ${found} in virtual time, where it can never settle. Give an Observable.`,
  );
}
