import type { Message } from '../../../../events/parts/message.ts';
import { type Origin, samePart } from './restore-message.ts';

/**
 * Which messages of the host those that hooks have changed come from, by the rule of the engine: one that names no origin takes the place
 * of one of its role. Where hooks have also removed some of that role, only one that still has a part of it does.
 */
export function originsOf(settled: readonly Message[], seen: readonly Origin[]): ReadonlyMap<Message, Origin> {
  const kept = new Set(settled);
  const origins = new Map<Message, Origin>();
  const left = new Set(seen.filter((one) => !kept.has(one.seen)));
  const known = new Set(seen.map((one) => one.seen));
  const changed = settled.filter((message) => message.origin === undefined && !known.has(message));
  const take = (message: Message, origin: Origin | undefined): void => {
    if (!origin) return;
    origins.set(message, origin);
    left.delete(origin);
  };
  for (const message of changed)
    take(
      message,
      [...left].find(({ seen: one }) => one.role === message.role && sharesPart(one, message)),
    );
  for (const role of new Set(changed.map((message) => message.role))) {
    const open = changed.filter((message) => message.role === role && !origins.has(message));
    const places = [...left].filter((one) => one.seen.role === role);
    if (open.length === places.length) for (const [at, message] of open.entries()) take(message, places[at]);
  }
  return origins;
}

function sharesPart(one: Message, other: Message): boolean {
  return other.parts.some((part) => one.parts.some((before) => samePart(before, part)));
}
