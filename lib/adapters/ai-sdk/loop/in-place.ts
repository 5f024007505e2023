import type { MessagePart } from '../../../events/parts/message.ts';
import type { HostPart } from './host-ai.ts';

/** Something that hooks do not see: a source, a file by reference, what the provider runs itself. */
export interface Foreign {
  readonly foreign: HostPart;
}

/** A part as it settled, and what it comes from, if that is known. */
export interface Settled<R> {
  readonly part: MessagePart;
  readonly raw?: R;
}

interface Matching<R> {
  /** Whether a part is that one, changed perhaps. */
  readonly isOf: (raw: R, part: MessagePart) => boolean;
  readonly typeOf: (raw: R) => MessagePart['type'];
}

/** Parts as they settled, with what hooks do not see in its place among what they come from. */
export function inPlace<R>(
  slots: readonly ({ readonly raw: R } | Foreign)[],
  parts: readonly MessagePart[],
  { isOf, typeOf }: Matching<R>,
): readonly (Settled<R> | Foreign)[] {
  const placed: (Settled<R> | Foreign)[] = [];
  const raws = slots.flatMap((slot) => ('raw' in slot ? [slot.raw] : []));
  const used = new Set<R>();
  let at = 0;
  const place = (count: number): void => {
    for (const part of parts.slice(at, at + count)) {
      const raw = raws.find((one) => !used.has(one) && isOf(one, part));
      if (raw !== undefined) used.add(raw);
      placed.push(raw === undefined ? { part } : { part, raw });
    }
    at += count;
  };
  for (const slot of slots) {
    if ('foreign' in slot) {
      placed.push(slot);
      continue;
    }
    const { raw } = slot;
    if (used.has(raw)) continue;
    const next = parts[at];
    const found = parts.findIndex((part, index) => index >= at && isOf(raw, part));
    if (found >= 0) place(found - at + 1);
    // Changed, if it is none of the others.
    else if (next?.type === typeOf(raw) && !raws.some((one) => !used.has(one) && isOf(one, next))) {
      used.add(raw);
      placed.push({ part: next, raw });
      at += 1;
    }
  }
  place(parts.length - at);
  return placed;
}
