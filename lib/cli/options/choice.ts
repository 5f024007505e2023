import { InvalidArgumentError } from 'commander';
import { nearestName } from '../../errors/nearest-name.ts';

/** Parses an option's value that must be one of `values`. An error suggests the nearest one. */
export function choice<T extends string>(values: readonly T[]): (value: string) => T {
  return (value) => {
    const known = values.find((one) => one === value);
    if (known !== undefined) return known;
    const near = nearestName(value, values);
    throw new InvalidArgumentError(
      `It must be one of ${values.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    );
  };
}
