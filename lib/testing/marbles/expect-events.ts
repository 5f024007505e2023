import type { Observable, Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { HooklineError } from '../../errors.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import { assertLetters } from '../scripts/marble-source.ts';
import { compareTimelines } from './compare-timelines.ts';
import type { ExpectedEvent } from './expected-event.ts';
import type { ExpectedMark, Mark } from './mark.ts';

/** Defines the expected events of a stream. */
export interface EventExpectation {
  /**
   * Marbles whose letters stand for fields of the event, an event of `anEvent`, or a description. `#` is any error, or the error with that message.
   */
  toBe(marbles: string, values?: Readonly<Record<string, ExpectedEvent>>, error?: string): void;
  /**
   * Lines with a frame and its event: a description from `describeEvent` (`…` matches any text), `|` for completion, `#` or `# message` for an error.
   */
  toShow(lines: readonly string[]): void;
}

/** An expectation that is checked after all virtual time has passed. */
export interface PendingExpectation extends EventExpectation {
  /** Returns the failure, if any. */
  verdict(): Error | undefined;
}

/** Subscribes to `actual$` when the scheduler starts (or as the subscription marbles define) and records its events with frames. */
export function expectEventsOn(
  scheduler: TestScheduler,
  actual$: Observable<HookEvent>,
  subscription?: string,
): PendingExpectation {
  const marks: Mark[] = [];
  let expected: readonly ExpectedMark[] | undefined;
  let subscribed: Subscription | undefined;
  const log = TestScheduler.parseMarblesAsSubscriptions(subscription ?? null, true);
  const start = Number.isFinite(log.subscribedFrame) ? log.subscribedFrame : 0;
  scheduler.schedule(() => {
    subscribed = actual$.subscribe({
      next: (event) => marks.push({ frame: scheduler.frame, kind: 'event', event }),
      error: (error) => marks.push({ frame: scheduler.frame, kind: 'error', error }),
      complete: () => marks.push({ frame: scheduler.frame, kind: 'end' }),
    });
  }, start);
  if (Number.isFinite(log.unsubscribedFrame))
    scheduler.schedule(() => subscribed?.unsubscribe(), log.unsubscribedFrame);

  const expect = (marksExpected: readonly ExpectedMark[]): void => {
    if (expected) throw misuse('takes one toBe or toShow; call it again for another stream.');
    expected = marksExpected;
  };
  return {
    toBe: (marbles, values = {}, error) => expect(parseMarbles(marbles, values, error)),
    toShow: (lines) => expect(lines.map(parseLine)),
    verdict() {
      if (!expected) return misuse('was called without an expectation; add .toBe() or .toShow().');
      if (!subscribed)
        return misuse('never subscribed: time ended before the frame that its subscription marbles name.');
      return compareTimelines(marks, expected);
    },
  };
}

function parseMarbles(
  marbles: string,
  values: Readonly<Record<string, ExpectedEvent>>,
  error: string | undefined,
): ExpectedMark[] {
  assertLetters(marbles, Object.keys(values), 'expectEvents().toBe()');
  return TestScheduler.parseMarbles(marbles, undefined, undefined, false, true).map(({ frame, notification }) => {
    if (notification.kind === 'C') return { frame, kind: 'end' };
    if (notification.kind === 'E') return { frame, kind: 'error', ...(error !== undefined && { message: error }) };
    const letter = notification.value as string;
    return { frame, kind: 'event', letter, event: values[letter] as ExpectedEvent };
  });
}

function parseLine(line: string): ExpectedMark {
  const [, digits, what = ''] = /^(\d+) ([\s\S]+)$/.exec(line) ?? [];
  if (digits === undefined) {
    throw misuse(
      `.toShow() takes lines of a frame and a description, such as '3 reasoningChunk "Hel"'; this is none: ${line}`,
    );
  }
  const frame = Number(digits);
  if (what === '|') return { frame, kind: 'end' };
  if (what === '#') return { frame, kind: 'error' };
  if (what.startsWith('# ')) return { frame, kind: 'error', message: what.slice(2) };
  return { frame, kind: 'event', event: what };
}

function misuse(issue: string): HooklineError {
  return new HooklineError('OPTIONS_INVALID', `expectEvents() ${issue}`);
}
