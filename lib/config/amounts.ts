import { z } from 'zod';

const times = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const sizes = { kb: 1_024, mb: 1_024 ** 2, gb: 1_024 ** 3 } as const;

const TIME = /^([1-9]\d{0,8})(ms|s|m|h|d)$/;
const SIZE = /^([1-9]\d{0,8})(kb|mb|gb)$/i;

/** A duration in a configuration: a number and ms, s, m, h or d. */
export const timeSchema = z.string().regex(TIME, 'must be a time such as 12h or 7d (ms, s, m, h, d)');
/** A size in a configuration: a number and KB, MB or GB. */
export const sizeSchema = z.string().regex(SIZE, 'must be a size such as 500MB or 2GB (KB, MB, GB)');

/** Returns milliseconds, or `undefined` if `text` is not a duration. */
export function readTime(text: string): number | undefined {
  const [, count, unit] = TIME.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * times[unit as keyof typeof times];
}

/** Returns bytes, or `undefined` if `text` is not a size. */
export function readSize(text: string): number | undefined {
  const [, count, unit = ''] = SIZE.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * sizes[unit.toLowerCase() as keyof typeof sizes];
}
