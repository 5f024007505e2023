import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookCommand } from './host.ts';

/** What `recorded-hook.mjs` answers to an event whose input includes a text. The first match counts; without one it is silent. */
export interface HookAnswer {
  event: string;
  includes?: string;
  /** An object is written as JSON. */
  stdout?: string | object;
  stderr?: string;
  exitCode?: number;
  delayMs?: number;
}

const HOOK = join(__dirname, 'recorded-hook.mjs');

/** The command line of `recorded-hook.mjs`. Words after it are a command that it runs with its input, for example the one of a dialect. */
export const recorded = (...command: readonly string[]): string =>
  [process.execPath, HOOK, ...command].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

/** `recorded-hook.mjs` on each of the events. */
export const recordedOn = (...events: readonly string[]): readonly HookCommand[] =>
  events.map((event) => ({ event, command: recorded() }));

/** The inputs that the hook logged in the folder of a run. */
export function hookInputs(bed: string): readonly Record<string, unknown>[] {
  const log = join(bed, 'hook-inputs.jsonl');
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(JSON.parse(line)));
}
