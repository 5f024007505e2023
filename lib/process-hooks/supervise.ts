import { type Observable, of, ReplaySubject, type SchedulerLike, type Subscription, take, throwError } from 'rxjs';
import { messageOf } from '../errors/describe-thrown.ts';
import { HooklineError } from '../errors.ts';
import type { Logger } from '../pipeline/logger.ts';

/** A thing that is started and ends by itself at some time. */
export interface Supervised {
  /** Emits once how it ended. */
  readonly ended$: Observable<string>;
  stop(): Promise<void>;
}

/** Keeps one thing running. It starts on first use and restarts after its end, with increasing pauses. */
export interface Supervisor<T extends Supervised> {
  /**
   * Emits the thing when it is ready, and waits while it starts. While it is down, errors at once with `PROCESS_FAILED` and the time of the next
   * attempt.
   */
  use(): Observable<T>;
  /** The thing, if it is ready now. */
  readonly now: T | undefined;
  /** Reports success and resets the count of failures. */
  worked(): void;
  /** Stops it at once, and also a pending start, whose subscribers get an error. */
  stop(): Promise<void>;
}

export interface SuperviseOptions<T extends Supervised> {
  readonly name: string;
  /** Emits the thing when it is ready, or errors if it cannot be started. Unsubscribing earlier stops the start. */
  readonly start: () => Observable<T>;
  readonly scheduler: SchedulerLike;
  readonly log: Logger;
}

/** Shortest and longest pause before a restart, in milliseconds. Each pause doubles. */
const FIRST_MS = 250;
const LONGEST_MS = 30_000;
/** After this many failures in a row it is not restarted. It is only tried on demand, after the longest pause. */
const OPEN_AFTER = 5;

type State<T> =
  | { readonly is: 'idle' }
  | { readonly is: 'starting'; readonly ready$: ReplaySubject<T> }
  | { readonly is: 'up'; readonly thing: T; readonly since: number }
  | { readonly is: 'down'; readonly why: string; readonly until: number }
  | { readonly is: 'stopped' };

/** Supervises the thing that `start` creates. */
export function supervise<T extends Supervised>({ name, start, scheduler, log }: SuperviseOptions<T>): Supervisor<T> {
  let state: State<T> = { is: 'idle' };
  let failures = 0;
  let work: Subscription | undefined;
  /** Separate, because a start that fails synchronously sets it before the subscription to the start exists. */
  let again: Subscription | undefined;
  let watch: Subscription | undefined;

  function launch(): ReplaySubject<T> {
    const ready$ = new ReplaySubject<T>(1);
    state = { is: 'starting', ready$ };
    work = start()
      .pipe(take(1))
      .subscribe({
        next(thing) {
          state = { is: 'up', thing, since: scheduler.now() };
          log.info({ hook: name }, 'a hook process is ready');
          watch = thing.ended$.subscribe((how) => fall(how));
          ready$.next(thing);
        },
        error(thrown: unknown) {
          const why = messageOf(thrown);
          fall(why);
          ready$.error(thrown instanceof HooklineError ? thrown : down(why));
        },
      });
    return ready$;
  }

  function fall(why: string): void {
    if (state.is === 'stopped') return;
    // A process that only receives notifications never answers. Running this long counts as success.
    if (state.is === 'up' && scheduler.now() - state.since >= LONGEST_MS) failures = 0;
    failures += 1;
    const open = failures >= OPEN_AFTER;
    const pause = open ? LONGEST_MS : Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
    state = { is: 'down', why, until: scheduler.now() + pause };
    log.error(
      { hook: name, why, failures, pauseMs: pause },
      open ? 'a hook process keeps failing' : 'a hook process is down',
    );
    if (!open) again = scheduler.schedule(() => void launch(), pause);
  }

  function down(why: string, until?: number): HooklineError {
    const when = until === undefined ? '' : ` The next attempt is in ${Math.max(0, until - scheduler.now())} ms.`;
    return new HooklineError('PROCESS_FAILED', `Hook process "${name}" is down: ${why.replace(/\.$/, '')}.${when}`);
  }

  return {
    get now() {
      return state.is === 'up' ? state.thing : undefined;
    },
    use() {
      switch (state.is) {
        case 'idle':
          return launch();
        case 'starting':
          return state.ready$;
        case 'up':
          return of(state.thing);
        case 'stopped':
          return throwError(() => down('it was stopped'));
        case 'down':
          if (failures >= OPEN_AFTER && scheduler.now() >= state.until) return launch();
          return throwError(down.bind(undefined, state.why, state.until));
      }
    },
    worked() {
      failures = 0;
    },
    async stop() {
      const last = state;
      state = { is: 'stopped' };
      watch?.unsubscribe();
      work?.unsubscribe();
      again?.unsubscribe();
      if (last.is === 'starting') last.ready$.error(down('it was stopped'));
      if (last.is === 'up') await last.thing.stop();
    },
  };
}
