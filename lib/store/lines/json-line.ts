import type { Line } from './line-cutter.ts';

/** Serializes a value as one line of JSON Lines, with its line end. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Parses a line. Returns the result of `onInvalid` if it is not JSON. */
export function parseLine<T>({ bytes }: Pick<Line, 'bytes'>, onInvalid: (cause: unknown) => T): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    return onInvalid(cause);
  }
}
