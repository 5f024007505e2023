import type { MessagePart } from '../../../events/parts/message.ts';
import type { HostPart } from './host-ai.ts';

/** Content that hooks do not see: sources, files by reference, calls that the provider runs. */
export interface Foreign {
  readonly foreign: HostPart;
}

/** A settled part and its origin, if known. */
export interface Settled<R> {
  readonly part: MessagePart;
  readonly raw?: R;
}

interface Matching<R> {
  /** Returns true if the part comes from `raw`, changed or not. */
  readonly isOf: (raw: R, part: MessagePart) => boolean;
  readonly typeOf: (raw: R) => MessagePart['type'];
}

/** Returns the settled parts, with the content that hooks do not see at its original position. */
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
    // A part of the same type that comes from no other origin is the changed part.
    else if (next?.type === typeOf(raw) && !raws.some((one) => !used.has(one) && isOf(one, next))) {
      used.add(raw);
      placed.push({ part: next, raw });
      at += 1;
    }
  }
  place(parts.length - at);
  return placed;
}
