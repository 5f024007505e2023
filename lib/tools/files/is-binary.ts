import { utf8Prefix } from '../utf8-prefix.ts';

const sampleBytes = 8192;

/** Whether `bytes` look like anything but UTF-8 text: a NUL, or more than a tenth unreadable near the beginning. */
export function isBinary(bytes: Buffer): boolean {
  const sample = utf8Prefix(bytes, sampleBytes);
  if (sample.includes(0)) return true;
  const text = sample.toString('utf8');
  const unreadable = text.split('\uFFFD').length - 1;
  return unreadable > text.length / 10;
}
