import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { EMPTY } from 'rxjs';
import { createRuns, fileRunStore, type Runs } from '../../../lib/server/index.ts';
import { fileName } from '../../../lib/store/documents/file-name.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { tempFolder } from '../../temp-folder.ts';
import type { BenchResult } from '../result.ts';

const OTHERS = 10_000;
const OWN = 100;
/** The default limit of `GET /api/runs`. */
const PAGE = 20;
const ROUNDS = 30;

const words =
  'deploy read write invoice error timeout socket config branch merge review test build the a of in for'.split(' ');

function textOf(run: number): string {
  return Array.from({ length: 300 }, (_, at) => words[(run * 7 + at * 13 + ((at * at) % 11)) % words.length]).join(' ');
}

/** Writes the heads of ended runs, as a server does. */
function heads(root: string, user: string, count: number): void {
  const folder = join(root, user);
  mkdirSync(folder, { recursive: true });
  for (let run = 0; run < count; run++) {
    const runId = `${user}-${run}`;
    const startedAt = new Date(Date.UTC(2026, 0, 1) + run * 1_000).toISOString();
    const view = {
      runId,
      sessionId: `s${run % 40}`,
      user,
      agent: 'hookline',
      title: `Run ${run} of ${user}`,
      state: 'ended',
      outcome: 'completed',
      startedAt,
      endedAt: startedAt,
      iteration: 3,
      tools: ['bash', 'read_file'],
      usage: { inputTokens: 1_200 + run, outputTokens: 300 },
    };
    const head = { version: 1, view, text: textOf(run), server: { host: hostname(), pid: 1 }, at: startedAt };
    writeFileSync(join(folder, fileName([runId])), JSON.stringify({ user, runId, head }));
  }
  // As long ago as runs that have ended.
  utimesSync(folder, 1_700_000_000, 1_700_000_000);
}

function serverOn(folder: string): Runs {
  return createRuns({
    start: () => EMPTY,
    resume: () => EMPTY,
    store: memoryStore(),
    runStore: fileRunStore(folder),
  });
}

async function msOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

/** Lists and searches of runs that a file store holds. */
export async function runListBench(): Promise<BenchResult[]> {
  const [few, many] = [tempFolder('bench'), tempFolder('bench')];
  for (const [folder, others] of [
    [few, OWN],
    [many, OTHERS],
  ] as const) {
    heads(folder, 'ada', OWN);
    for (let user = 0; user < 10; user++) heads(folder, `user${user}`, others / 10);
  }
  const [small, large] = [serverOn(few), serverOn(many)];
  const list = (runs: Runs) => () => runs.list('ada', PAGE);
  for (const runs of [small, large]) for (let warm = 0; warm < 50; warm++) await list(runs)();
  // Operators read the runs of all users.
  await large.list(undefined, PAGE);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = [await msOf(list(small)), await msOf(list(large))];
    ratios.push(b / a);
  }

  const own = tempFolder('bench');
  heads(own, 'ada', OTHERS);
  const searched = serverOn(own);
  const { runs: rows } = await searched.list('ada', PAGE);
  const stored = rows.map(({ runId }) => readFileSync(join(own, 'ada', fileName([runId])), 'utf8'));
  const filter = 'quokka tool:bash';
  for (let warm = 0; warm < 5; warm++) await searched.list('ada', PAGE, undefined, { filter });
  const searches: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const parsing =
      (await msOf(() => {
        for (let nth = 0; nth < 50; nth++) for (const text of stored) JSON.parse(text);
      })) / 50;
    searches.push((await msOf(() => searched.list('ada', PAGE, undefined, { filter }))) / parsing);
  }
  return [
    {
      name: `a page of ${OWN} runs of a user in a file store, among ${OTHERS} runs of others, against among ${OWN}`,
      unit: 'times the time',
      value: median(ratios),
      most: 1.5,
    },
    {
      name: `a search of the texts of ${OTHERS} stored runs, against JSON.parse of a page of ${PAGE} of them as they are stored`,
      unit: 'times the time',
      value: median(searches),
      most: 50,
    },
    {
      name: `memory for the list of ${OTHERS} stored runs, against that of ${OTHERS / 10}`,
      unit: 'times the bytes',
      value: bytesFor(OTHERS) / bytesFor(OTHERS / 10),
    },
  ];
}

/** Bytes of the heap after a list, in a process of its own. */
function bytesFor(count: number): number {
  const folder = tempFolder('bench');
  heads(folder, 'ada', count);
  const args = [...process.execArgv, '--expose-gc', __filename, folder];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

async function printBytes(folder: string): Promise<void> {
  const runs = serverOn(folder);
  await runs.list('nobody', PAGE);
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  await runs.list('ada', PAGE, undefined, { filter: 'quokka' });
  global.gc?.();
  process.stdout.write(String(process.memoryUsage().heapUsed - before));
  process.exit();
}

if (require.main === module) void printBytes(process.argv[2] as string);
