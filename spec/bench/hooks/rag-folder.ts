import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { lastValueFrom, type Observable } from 'rxjs';
import { folderRetriever } from '../../../lib/hooks/rag/folder-retriever.ts';
import { folderOptionsSchema } from '../../../lib/hooks/rag/rag-options.ts';
import type { Passage } from '../../../lib/hooks/rag/retriever.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import type { BenchResult } from '../result.ts';

const SIZE = 10_000;
const QUERIES = 200;
const ROUNDS = 3;

/**
 * A folder of 10,000 documents, against MiniSearch alone with the same texts: indexed from nothing (walked, read, cut, indexed, written), taken up
 * again by another process, and asked. Best of some rounds.
 */
export async function ragBench(): Promise<BenchResult[]> {
  const home = mkdtempSync(join(tmpdir(), 'hookline-bench-rag-'));
  try {
    const [folder, documents] = [join(home, 'docs'), makeDocuments()];
    for (let at = 0; at < 100; at++) mkdirSync(join(folder, `d${at}`), { recursive: true });
    for (const { id, text } of documents) writeFileSync(join(folder, `d${id % 100}`, `${id}.md`), text);
    const questions = Array.from(
      { length: QUERIES },
      (_, at) => `how do i ${word(at * 7)} the ${word(at)} of ${word(at * 31)}`,
    );
    const times: Record<string, number[]> = {};
    async function timed(name: string, work: () => unknown): Promise<void> {
      const began = performance.now();
      await work();
      times[name] = [...(times[name] ?? []), performance.now() - began];
    }
    for (let round = 0; round < ROUNDS; round++) {
      const engine = new MiniSearch({ fields: ['text'] });
      await timed('engine', () => engine.addAll(documents));
      const state = join(home, `state-${round}`);
      const first = asking(folder, state);
      await timed('folder', () => first('x'));
      const second = asking(folder, state);
      await timed('again', () => second('x'));
      await timed('engine query', () => {
        for (const question of questions) engine.search(question);
      });
      await timed('query', async () => {
        for (const question of questions) await second(question);
      });
    }
    const best = (name: string) => Math.min(...(times[name] ?? []));
    const against = (name: string, other: string) => best(name) / best(other);
    if (process.env['HOOKLINE_BENCH_TIMES']) console.log(times);
    return [
      {
        name: 'rag: 10,000 documents indexed, against the engine',
        unit: 'times the time',
        value: against('folder', 'engine'),
        most: 3,
      },
      {
        name: 'rag: an unchanged folder taken up again, against indexing it',
        unit: 'times the time',
        value: against('again', 'folder'),
      },
      {
        name: 'rag: a question, against the engine',
        unit: 'times the time',
        value: against('query', 'engine query'),
        most: 2,
      },
    ];
  } finally {
    rmSync(home, { recursive: true });
  }
}

function asking(folder: string, stateFolder: string): (question: string) => Promise<readonly Passage[]> {
  const settings = folderOptionsSchema.parse({ folder, refreshMs: 1e9 });
  const retrieve = folderRetriever(settings, { stateFolder }, 'rag');
  const request = {
    limit: 5,
    signal: new AbortController().signal,
    run: { runId: 'r', sessionId: 's', agent: 'a', depth: 0 },
    log: silentLogger,
    mayRead: () => true,
  };
  return (question) => lastValueFrom(retrieve(question, request) as Observable<readonly Passage[]>);
}

/** Words with the frequencies of a language: few that are everywhere, many that are rare. */
function makeDocuments(): { id: number; text: string }[] {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return Array.from({ length: SIZE }, (_, id) => {
    const lines = Array.from({ length: 15 }, () =>
      Array.from({ length: 12 }, () => word(Math.floor(random() ** 4 * 30_000))).join(' '),
    );
    return { id, text: `# ${word(id)}\n\n${lines.join('\n')}\n` };
  });
}

function word(at: number): string {
  const syllables = ['ka', 'lo', 'mi', 'ne', 'ru', 'sa', 'te', 'vo', 'xi', 'zu', 'ber', 'dol', 'fin', 'gar', 'hul'];
  let rest = at + 1;
  let made = '';
  for (; rest > 0; rest = Math.floor(rest / syllables.length)) made += syllables[rest % syllables.length];
  return made;
}
