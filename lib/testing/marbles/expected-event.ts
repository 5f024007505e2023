import type { HookEvent } from '../../events/hook-event.ts';
import { judgedCallOf } from '../build-event.ts';
import { describeEvent } from '../describe-event.ts';
import { type Difference, differences } from '../differences.ts';

/**
 * An expected event: required fields, an event of `anEvent`, or a description from `describeEvent`. An event of `anEvent` is compared by the fields
 * passed to it. `…` in a description matches any text.
 */
export type ExpectedEvent = object | string;

/** Returns the differences of an event. The path of a description is empty. */
export function differencesOf(event: HookEvent, expected: ExpectedEvent): readonly Difference[] {
  if (typeof expected !== 'string') return differences(event, judgedCallOf(expected));
  const actual = describeEvent(event, Number.POSITIVE_INFINITY);
  return matchesText(actual, expected) ? [] : [{ path: '', expected, actual }];
}

/** Returns whether a text matches. `…` matches any text. */
export function matchesText(actual: string, expected: string): boolean {
  const parts = expected.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(actual);
}

/** Describes an expected event in one line. */
export function describeExpected(expected: ExpectedEvent): string {
  if (typeof expected === 'string') return expected;
  const asked = judgedCallOf(expected) as Readonly<Record<string, unknown>>;
  if (asked !== expected) return describeEvent(expected as HookEvent);
  const { type, ...rest } = asked;
  return [type ?? 'an event', ...Object.entries(rest).map(([key, value]) => `${key}=${show(value)}`)].join(' ');
}

/** Formats a value for a failure message. */
export function show(value: unknown): string {
  const text = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
