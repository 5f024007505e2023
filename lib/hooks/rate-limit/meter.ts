import { z } from 'zod';

/** The allowance of a limit: an amount per window. */
export interface Allowance {
  readonly max: number;
  readonly windowMs: number;
  /** `sliding`: never more than `max` in any window. `bucket`: `max` per window on average, refilled steadily, up to `burst` at once. */
  readonly algorithm: 'sliding' | 'bucket';
  readonly burst?: number | undefined;
}

/** The stored usage. */
export const usedSchema = z.union([
  z.strictObject({ slots: z.array(z.tuple([z.number(), z.number()])) }),
  z.strictObject({ left: z.number(), at: z.number() }),
]);
export type Used = z.infer<typeof usedSchema>;

/** The result of a take: the usage to store, or the milliseconds to wait; `Infinity` if the amount can never fit. */
export type Taken = { readonly used: Used } | { readonly waitMs: number };

/** The number of parts of a window. All usage in one part expires at once. */
export const SLOTS = 20;

/** Takes `amount` at the time `now` if it is available. With `force`, it always takes it, for usage that already happened. */
export function take(allowance: Allowance, used: Used | undefined, amount: number, now: number, force = false): Taken {
  return allowance.algorithm === 'bucket'
    ? fromBucket(allowance, used, amount, now, force)
    : fromWindow(allowance, used, amount, now, force);
}

/** Returns `used` without `amount`, taken at the time `at`. Returns undefined if that has expired. */
export function returned(
  { windowMs, max, burst = max }: Allowance,
  used: Used | undefined,
  amount: number,
  at: number,
): Used | undefined {
  if (!used) return undefined;
  if ('left' in used) return { ...used, left: Math.min(burst, used.left + amount) };
  const taken = Math.floor(at / (windowMs / SLOTS));
  const slots = used.slots.map(([slot, count]): [number, number] => [slot, slot === taken ? count - amount : count]);
  return { slots: slots.filter(([, count]) => count > 0) };
}

/** Returns how much is available at the time `now`. */
export function available(
  { algorithm, max, windowMs, burst = max }: Allowance,
  used: Used | undefined,
  now: number,
): number {
  if (algorithm === 'bucket') {
    const { left, at } = used && 'left' in used ? used : { left: burst, at: now };
    return Math.min(burst, left + (Math.max(0, now - at) * max) / windowMs);
  }
  return max - sumOf(liveSlots(windowMs, used, now));
}

/** The usage of the window. A part counts while any of it is in the window. */
function liveSlots(windowMs: number, used: Used | undefined, now: number): readonly [number, number][] {
  const slots = used && 'slots' in used ? used.slots : [];
  return slots.filter(([slot]) => (slot + 1) * (windowMs / SLOTS) + windowMs > now);
}

function sumOf(slots: readonly [number, number][]): number {
  return slots.reduce((total, [, count]) => total + count, 0);
}

function fromWindow(
  { max, windowMs }: Allowance,
  used: Used | undefined,
  amount: number,
  now: number,
  force: boolean,
): Taken {
  const slotMs = windowMs / SLOTS;
  const live = liveSlots(windowMs, used, now);
  const sum = sumOf(live);
  if (!force && sum + amount > max) {
    if (amount > max) return { waitMs: Number.POSITIVE_INFINITY };
    let over = sum + amount - max;
    const last = live.find(([, count]) => {
      over -= count;
      return over <= 0;
    });
    return { waitMs: Math.max(1, ((last?.[0] ?? 0) + 1) * slotMs + windowMs - now) };
  }
  const slot = Math.floor(now / slotMs);
  const rest = live.filter(([at]) => at !== slot);
  const here = live.find(([at]) => at === slot)?.[1] ?? 0;
  return { used: { slots: [...rest, [slot, here + amount]] } };
}

function fromBucket(allowance: Allowance, used: Used | undefined, amount: number, now: number, force: boolean): Taken {
  const { max, windowMs, burst = max } = allowance;
  const perMs = max / windowMs;
  const before = used && 'left' in used ? used : { left: burst, at: now };
  const left = Math.min(burst, before.left + Math.max(0, now - before.at) * perMs);
  // Rounding must not fail a take after the computed wait.
  if (!force && left + 1e-6 < amount)
    return { waitMs: amount > burst ? Number.POSITIVE_INFINITY : Math.ceil((amount - left) / perMs) };
  return { used: { left: left - amount, at: now } };
}
