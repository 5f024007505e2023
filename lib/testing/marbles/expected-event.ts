import type { HookEvent } from '../../events/hook-event.ts';
import { judgedCallOf } from '../build-event.ts';
import { describeEvent } from '../describe-event.ts';
import { type Difference, differences } from '../differences.ts';

/**
 * What an event is expected to be: fields that it must have, an event of `anEvent` (for the fields it was asked for), or a description
 * as `describeEvent` gives it, where `…` stands for any text.
 */
export type ExpectedEvent = object | string;

/** Where an event is not as expected; the path of a description is empty. */
export function differencesOf(event: HookEvent, expected: ExpectedEvent): readonly Difference[] {
  if (typeof expected !== 'string') return differences(event, judgedCallOf(expected));
  const actual = describeEvent(event, Number.POSITIVE_INFINITY);
  return matchesText(actual, expected) ? [] : [{ path: '', expected, actual }];
}

/** Whether a text is as expected; `…` stands for any text. */
export function matchesText(actual: string, expected: string): boolean {
  const parts = expected.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(actual);
}

/** An expected event in one line. */
export function describeExpected(expected: ExpectedEvent): string {
  if (typeof expected === 'string') return expected;
  const asked = judgedCallOf(expected) as Readonly<Record<string, unknown>>;
  if (asked !== expected) return describeEvent(expected as HookEvent);
  const { type, ...rest } = asked;
  return [type ?? 'an event', ...Object.entries(rest).map(([key, value]) => `${key}=${show(value)}`)].join(' ');
}

/** A value as a failure shows it. */
export function show(value: unknown): string {
  const text = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
