import { harmlessJson } from '../../events/values/harmless-json.ts';

/** Prints one JSON value on a line of its own. */
export function printJson(value: unknown): void {
  process.stdout.write(`${harmlessJson(JSON.stringify(value))}\n`);
}
