import { InvalidArgumentError } from 'commander';

/** Parses an option's value that must be a whole number from 1. */
export function positiveInteger(value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}

/** Parses an option's value that must be a whole number from 1 to `most`. */
export function upTo(most: number): (value: string) => number {
  return (value) => {
    const number = positiveInteger(value);
    if (number <= most) return number;
    throw new InvalidArgumentError(`It must be at most ${most}.`);
  };
}

/** Parses a whole number from 0. */
export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}
