import { nearestOrAll } from '../../errors/nearest-name.ts';

/** Reports each field of `input` that `event` does not have, with the nearest known name. */
export function unknownFields(event: string, input: object, known: readonly string[]): string[] {
  return Object.keys(input)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const help = nearestOrAll(name, known);
      return `--input contains "${name}", which ${event} does not have; it was sent to the hook anyway. ${help}`;
    });
}
