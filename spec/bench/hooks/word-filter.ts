import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor, type Redactor } from '../../../lib/redaction/index.ts';
import { createWordRedactor } from '../../../lib/redaction/words/word-redactor.ts';
import { measure } from '../measure.ts';
import type { BenchResult } from '../result.ts';

const COUNT = 20_000;
const PIECE = 16;

/** Text in chunks through the scanner of word-filter with 20,000 words, against the redactor's, and against one word. */
export function wordFilterBench(): BenchResult[] {
  const text = ordinaryText(1_000_000);
  const filter = (words: readonly string[]) =>
    createWordRedactor({ words, label: 'word', whole: true, replace: () => '***' });
  const contenders = { redactor: createRedactor(), one: filter(['swordfish']), many: filter(wordsLike(text)) };
  const runs = Object.entries(contenders).map(([name, scanner]) => [name, () => inChunks(scanner, text)] as const);
  const times = measure(Object.fromEntries(runs), text.length, 5);
  const many = times['many'] ?? 1;
  return [
    {
      name: 'word-filter with 20,000 words, chunks of 16 characters, against the redactor',
      unit: 'times its speed',
      value: (times['redactor'] ?? 0) / many,
      least: 0.5,
    },
    {
      name: 'word-filter with 20,000 words, against one word',
      unit: 'times the cost',
      value: many / (times['one'] ?? 1),
      most: 3,
    },
  ];
}

function inChunks(scanner: Redactor, text: string): void {
  const stream = scanner.stream({ onFinding() {} });
  for (let at = 0; at < text.length; at += PIECE) stream.write(text.slice(at, at + PIECE));
  stream.end();
}

/** Words that begin as those of the text do, so that it leads far into the table. */
function wordsLike(text: string): string[] {
  const known = [...new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? [])];
  return Array.from({ length: COUNT }, (_, at) => `${known[at % known.length]}${(at * 7_919).toString(36)}`);
}

function ordinaryText(length: number): string {
  const folder = join(__dirname, '../../../node_modules/rxjs/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}
