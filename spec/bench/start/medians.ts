import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROUNDS = 15;
const root = join(__dirname, '../../..');

/** Milliseconds of each program, in turns. Each has to exit with one of `codes`. */
export function medians(
  programs: Readonly<Record<string, readonly string[]>>,
  options: SpawnSyncOptions = {},
  codes: readonly (number | null)[] = [0],
): Record<string, number> {
  const times = Object.entries(programs).map(([name, args]) => ({ name, args, all: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, args, all } of times) {
      const began = process.hrtime.bigint();
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, ...options, encoding: 'utf8' });
      all.push(Number(process.hrtime.bigint() - began) / 1e6);
      if (!codes.includes(status)) throw new Error(`${name}: ${stderr}`);
    }
  }
  return Object.fromEntries(times.map(({ name, all }) => [name, all.sort((a, b) => a - b)[ROUNDS >> 1] as number]));
}
