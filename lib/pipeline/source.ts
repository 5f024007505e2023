import { isObservable, Observable } from 'rxjs';
import { HooklineError } from '../errors.ts';
import { isThenable } from './later.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';
import { Relay } from './relay.ts';
import type { Settings } from './settings.ts';

/** How a model's or a tool's answer is taken. */
export interface SourceOptions<T> {
  /** What answers, for messages: `model "x"`, `tool "y"`. */
  readonly what: string;
  readonly parent: Lifetime;
  readonly settings: Settings;
  /** Starts it. The lifetime is cancelled when the answer is no longer wanted. */
  readonly start: (lifetime: Lifetime, push: (item: T) => Promise<void>) => unknown;
  /** Calls back when the hooks have dealt with all there is. */
  readonly whenIdle: (callback: () => void) => void;
  /** Told whether the source pushes, so that what it may be ahead has to be bounded. */
  readonly pushes: (pushes: boolean) => void;
  /** Turns a plain value into items; without it the answer has to be a stream. */
  readonly fromValue?: (value: unknown) => readonly T[];
}

/** After so many items that came without a pause, timers and sockets get their turn. */
const BREATH = 512;

/**
 * The answer of a model or tool as an Observable, started anew by each subscription: an Observable as it is, an async iterable pulled
 * whenever the hooks are idle, a promise or a value as that value. Ends by itself when `parent` is cancelled.
 */
export function createSource<T>(options: SourceOptions<T>): Observable<T> {
  const { what, parent, settings, start, whenIdle, pushes, fromValue } = options;
  return new Observable<T>((subscriber) => {
    const lifetime = createLifetime(parent);
    let over = false;
    let sinceBreath = 0;
    subscriber.add(() => {
      if (!over) lifetime.cancel('no longer wanted');
      over = true;
      lifetime.release();
    });
    const end = (error?: { thrown: unknown }): void => {
      if (over) return;
      over = true;
      if (error) subscriber.error(error.thrown);
      else subscriber.complete();
    };

    const push = (item: T): Promise<void> => {
      const settled = new Promise<void>((resolve, reject) => {
        const gone = () => reject(new DOMException(`${what} was cut; nobody listens any more`, 'AbortError'));
        if (over) return gone();
        pushes(true);
        subscriber.next(item);
        if (over) return gone();
        const stopListening = lifetime.onCancel(gone);
        whenIdle(() => {
          stopListening();
          breathe(resolve);
        });
      });
      // A tool that does not await its emits must not bring the process down.
      settled.catch(() => {});
      return settled;
    };

    const breathe = (go: () => void): void => {
      sinceBreath += 1;
      if (sinceBreath % BREATH !== 0 || settings.virtual) go();
      else settings.scheduler.schedule(go, 0);
    };

    const pull = (iterator: AsyncIterator<T>): void => {
      if (over) return;
      iterator.next().then(
        (result) => {
          if (over) return;
          if (result.done) return attempt(() => take(result.value, true));
          subscriber.next(result.value);
          if (!over) whenIdle(() => breathe(() => pull(iterator)));
        },
        (thrown) => end({ thrown }),
      );
    };

    const take = (answer: unknown, last: boolean): void => {
      if (!last && isObservable(answer)) {
        pushes(true);
        const ended = (): boolean => {
          const first = !over;
          over = true;
          return first;
        };
        (answer as Observable<T>).subscribe(new Relay(subscriber, ended));
      } else if (!last && isAsyncIterable<T>(answer)) {
        if (settings.virtual) {
          end({ thrown: virtualTime(what, 'an async iterable') });
          return;
        }
        pushes(false);
        const iterator = answer[Symbol.asyncIterator]();
        subscriber.add(() => void Promise.resolve(iterator.return?.()).catch(() => {}));
        pull(iterator);
      } else if (isThenable(answer)) {
        if (settings.virtual) {
          void Promise.resolve(answer).catch(() => {});
          end({ thrown: virtualTime(what, 'a promise') });
          return;
        }
        answer.then(
          (value) => attempt(() => take(value, last)),
          (thrown) => end({ thrown }),
        );
      } else if (fromValue) {
        for (const item of fromValue(answer)) subscriber.next(item);
        end();
      } else if (last) {
        end();
      } else {
        end({
          thrown: new HooklineError(
            'MODEL_FAILED',
            `The ${what} returned neither an Observable nor an async iterable.`,
          ),
        });
      }
    };

    const attempt = (action: () => void): void => {
      try {
        if (!over) action();
      } catch (thrown) {
        end({ thrown });
      }
    };

    attempt(() => take(start(lifetime, push), false));
  });
}

function isAsyncIterable<T>(value: unknown): value is AsyncIterable<T> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function virtualTime(what: string, found: string): HooklineError {
  return new HooklineError(
    'VIRTUAL_TIME',
    `The ${what} gave ${found} in virtual time, where it can never settle. Give an Observable.`,
  );
}
