import { InvalidArgumentError } from 'commander';

/** Reads a whole number from 0 on. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}
