import { nearestOrAll } from '../../errors/nearest-name.ts';

/** Says of each member of `input` that `event` does not have, with the nearest name of those that it has. */
export function unknownMembers(event: string, input: object, known: readonly string[]): string[] {
  return Object.keys(input)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const help = nearestOrAll(name, known);
      return `--input gives "${name}", which ${event} does not have; the hook was sent it nevertheless. ${help}`;
    });
}
