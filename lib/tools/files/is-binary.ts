import { utf8Prefix } from '../utf8-prefix.ts';

const sampleBytes = 8192;

/** Whether `bytes` are not UTF-8 text: they contain a NUL, or over a tenth near the start is invalid. */
export function isBinary(bytes: Buffer): boolean {
  const sample = utf8Prefix(bytes, sampleBytes);
  if (sample.includes(0)) return true;
  const text = sample.toString('utf8');
  const unreadable = text.split('\uFFFD').length - 1;
  return unreadable > text.length / 10;
}
