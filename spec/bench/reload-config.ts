import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLiveHooks } from '../../lib/config/index.ts';
import { tempFolder } from '../temp-folder.ts';
import type { BenchResult } from './result.ts';

const HOOKS = 100;
const ROUNDS = 60;

/** A reload of a configuration of which one hook was changed, from the file to the pipeline, against parsing the text of the file. */
export async function reloadConfigBench(): Promise<BenchResult[]> {
  const folder = tempFolder('bench');
  const file = join(folder, 'hookline.json');
  const written = (round: number): string => {
    const text = JSON.stringify({ hooks: hooksOf(round) }, null, 2);
    writeFileSync(file, text);
    return text;
  };
  written(0);
  const live = await createLiveHooks({ files: [file] });
  const best = { parse: Infinity, one: Infinity, all: Infinity };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const text = written(round);
    const parse = await times(() => JSON.parse(text));
    const one = await times(() => live.reload());
    written(-round);
    const all = await times(() => live.reload());
    for (const [name, took] of Object.entries({ parse, one, all }) as [keyof typeof best, number][])
      best[name] = Math.min(best[name], took);
  }
  await live.close();
  const name = `a reload of ${HOOKS} hooks, against parsing their JSON`;
  return [
    { name: `${name}: one of them changed`, unit: 'times the cost', value: best.one / best.parse, most: 80 },
    { name: `${name}: all of them changed`, unit: 'times the cost', value: best.all / best.parse },
  ];
}

/** Rounds above zero differ in one hook, and from those below in all. */
function hooksOf(round: number): object {
  const names = Array.from({ length: HOOKS }, (_, index) => `hook-${index}`);
  return Object.fromEntries(
    names.map((name, index) => {
      const priority = index + (index === 0 || round < 0 ? round / 1_000 : 0);
      const match = { tools: ['write_*', 'run_command'], permissions: ['write', 'external'] };
      const guard = {
        type: 'dangerous-confirmation',
        priority,
        match,
        options: { askBy: 'suspend', patterns: ['drop'] },
      };
      return [name, index % 2 === 0 ? guard : { type: 'audit-log', priority, match, options: { level: 'warn' } }];
    }),
  );
}

/** Nanoseconds. */
async function times(work: () => unknown): Promise<number> {
  const began = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - began);
}
