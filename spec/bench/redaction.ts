import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileRules, createRedactor, type Redactor, type Rule } from '../../lib/redaction/index.ts';
import { samples } from '../redaction/sample-rules.ts';
import { measure } from './measure.ts';
import { nativeScan, toRegExp } from './native-scan.ts';
import { scriptsBench } from './redaction-scripts.ts';
import type { BenchResult } from './result.ts';

const root = join(__dirname, '..', '..');
const ADVERSARIAL = [
  'a',
  'a.b.',
  'sk-',
  'password=',
  'api_key=',
  'key ',
  'eyJ',
  'ghp_',
  'xoxb-1',
  '1 ',
  '1.',
  'a@b.',
  '4111 ',
  '0123456789abcdef',
  'password: 11.11',
  'token: a1 ',
  'api_key: a1 ',
  'API_KEY=a1b2c3d4e5f6 ',
  'key: a1b2c3d4e5f6 ',
  '\ud83d',
];
const PROSE = `It was late when the two of them came back to the house, and nobody had thought of leaving a light on. "We said at nine," she
began, "and it is past eleven now." He shrugged; there was nothing to say to that, or so it seemed to him. `;

/** Redaction with all own rules, whole and in chunks of four characters, against RegExp behind keywords over the same rules. */
export function redactionBench(): BenchResult[] {
  const own = benchRules();
  if (!own) return [];
  // Copies, since what has come of the rules themselves is kept from the first redactor on.
  const copies = (): Rule[] => own.map((rule) => ({ ...rule }));
  const rules = copies();
  const before = heap();
  const redactor = createRedactor(rules);
  const grown = heap() - before;
  const compiling = measure({ rules: () => void createRedactor(copies()), native: nativeCompiling(rules) }, 1, 5);
  const text = ordinaryText(2_000_000);
  const scan = nativeScan(compileRules(rules).compiled);
  const times = measure(
    { whole: () => void redactor.redact(text), chunks: () => inChunks(redactor, text), native: () => void scan(text) },
    text.length,
    5,
  );
  const worst = Math.max(...ADVERSARIAL.map((unit) => timesOrdinary(redactor, unit, text)));
  const { mean, most } = heldOn(redactor, PROSE.repeat(200));
  const native = times['native'] ?? 0;
  return [
    {
      name: 'redaction of whole text, against RegExp behind keywords',
      unit: 'times faster',
      value: native / (times['whole'] ?? 1),
      least: 2.5,
    },
    {
      name: 'redaction of chunks of 4 characters, against RegExp behind keywords',
      unit: 'times faster',
      value: native / (times['chunks'] ?? 1),
      least: 1.2,
    },
    ...scriptsBench(redactor, scan),
    {
      name: 'redaction of the worst adversarial text, against ordinary text',
      unit: 'times the cost',
      value: worst,
      most: 10,
    },
    { name: 'characters of prose held back after each 4, on average', unit: 'characters', value: mean, most: 4 },
    { name: 'characters of prose held back, at most', unit: 'characters', value: most, most: 40 },
    {
      name: `compiling ${rules.length} redaction rules, against compiling each of them as a RegExp`,
      unit: 'times the cost',
      value: (compiling['rules'] ?? 0) / (compiling['native'] ?? 1),
      most: 4,
    },
    {
      name: `${rules.length} redaction rules, compiled, in memory`,
      unit: 'MB',
      value: Math.max(0, grown / 1e6),
      most: 20,
    },
  ];
}

/** V8 compiles a RegExp when it is first asked, and keeps it by its text: no text comes twice. */
function nativeCompiling(rules: readonly Rule[]): () => void {
  const expressions = rules.flatMap(({ pattern, literal }) => toRegExp(pattern ?? literal ?? '') ?? []);
  let round = 0;
  return () => {
    round += 1;
    for (const { source, flags } of expressions) new RegExp(`${source}|\\x00${round}`, flags).test('\u{1f511}');
  };
}

/** The rules of the module that HOOKLINE_BENCH_RULES names, else our own; a handful would be no measure. */
function benchRules(): readonly Rule[] | undefined {
  const paths = [process.env['HOOKLINE_BENCH_RULES'] ?? '', join(root, 'lib', 'redaction', 'rules', 'own-rules.ts')];
  const path = paths.find((candidate) => candidate !== '' && existsSync(candidate));
  return path === undefined ? undefined : require(path).ownRules;
}

/** Code and prose of this repository and of what it depends on, with a secret now and then. */
function ordinaryText(length: number): string {
  const folders = ['lib', 'spec', 'node_modules/rxjs/src', 'node_modules/zod/v4', 'node_modules/pino/docs'].map(
    (name) => join(root, name),
  );
  let text = '';
  for (const folder of folders.filter((name) => existsSync(name))) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:ts|js|md|json)$/.test(file) || /redaction|node_modules/.test(file)) continue;
      const { before, secret } = samples[text.length % samples.length]!;
      text += `${readFileSync(join(folder, file), 'utf8')}\n${before}${secret}\n`;
    }
  }
  const flat = text.split('').join('');
  return flat.repeat(Math.ceil(length / flat.length)).slice(0, length);
}

function inChunks(redactor: Redactor, text: string): void {
  const stream = redactor.stream();
  for (let at = 0; at < text.length; at += 4) stream.write(text.slice(at, at + 4));
  stream.end();
}

/** What a character costs in times of ordinary text, the two measured in turns: how fast the machine is changes within seconds. */
function timesOrdinary(redactor: Redactor, unit: string, ordinary: string): number {
  const text = unit.repeat(Math.ceil(200_000 / unit.length));
  const took = measure(
    { adversarial: () => void redactor.redact(text), ordinary: () => void redactor.redact(ordinary) },
    1,
    5,
  );
  return (took['adversarial'] ?? 0) / text.length / ((took['ordinary'] ?? 1) / ordinary.length);
}

function heldOn(redactor: Redactor, text: string): { mean: number; most: number } {
  const stream = redactor.stream();
  let held = 0;
  let sum = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 4) {
    const chunk = text.slice(at, at + 4);
    held += chunk.length - stream.write(chunk).length;
    sum += held;
    most = Math.max(most, held);
  }
  return { mean: sum / (text.length / 4), most };
}

function heap(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
