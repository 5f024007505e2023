import { messageOf } from '../../errors/describe-thrown.ts';
import type { HookEvent } from '../../events/hook-event.ts';
import { describeEvent } from '../describe-event.ts';
import type { Difference } from '../differences.ts';
import { describeExpected, differencesOf, type ExpectedEvent, matchesText } from './expected-event.ts';

/** An event of a stream, with its frame. */
export type Mark = { readonly frame: number } & (
  | { readonly kind: 'event'; readonly event: HookEvent }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: unknown }
);

/** An expected event of a stream. An error without a message matches any error. */
export type ExpectedMark = { readonly frame: number } & (
  | { readonly kind: 'event'; readonly event: ExpectedEvent; readonly letter?: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly message?: string }
);

export function compareMarks(actual: Mark, expected: ExpectedMark): readonly Difference[] {
  const late =
    actual.frame === expected.frame ? [] : [{ path: 'frame', expected: expected.frame, actual: actual.frame }];
  return [...late, ...compareKinds(actual, expected)];
}

function compareKinds(actual: Mark, expected: ExpectedMark): readonly Difference[] {
  if (actual.kind === 'event' && expected.kind === 'event') return differencesOf(actual.event, expected.event);
  if (actual.kind === 'error' && expected.kind === 'error') {
    const message = messageOf(actual.error);
    const same = expected.message === undefined || matchesText(message, expected.message);
    return same ? [] : [{ path: 'error', expected: expected.message, actual: message }];
  }
  return actual.kind === expected.kind ? [] : [{ path: '', expected: lineOf(expected), actual: lineOf(actual) }];
}

/** Formats a mark without its frame in one line: a description, `|` or `# message`. */
export function lineOf(mark: Mark | ExpectedMark): string {
  if (mark.kind === 'end') return '|';
  if (mark.kind === 'event') {
    return 'letter' in mark || typeof mark.event === 'string' || !('run' in mark.event)
      ? describeExpected(mark.event)
      : describeEvent(mark.event as HookEvent);
  }
  const message = 'error' in mark ? messageOf(mark.error) : mark.message;
  return message === undefined ? '#' : `# ${message}`;
}
