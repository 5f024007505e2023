import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { builtIns } from '../../../lib/hooks/built-ins.ts';
import { createCatalogue } from '../../../lib/hooks/catalogue.ts';
import type { Hook } from '../../../lib/index.ts';
import { textOf } from '../../../lib/index.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { tempFolder } from '../../temp-folder.ts';
import { type Journey, otherModel, SECRET } from './journey.ts';

/** A server for posts of `webhook`. Each journey posts to the path of its folder. */
export const postbox = {
  url: '',
  got: new Map<string, string>(),
  server: createServer(async (request, response) => {
    const path = request.url ?? '';
    postbox.got.set(path, (postbox.got.get(path) ?? '') + (await text(request)));
    response.end();
  }),
  async open(): Promise<void> {
    await new Promise<void>((resolve) => postbox.server.listen(0, '127.0.0.1', resolve));
    postbox.url = `http://127.0.0.1:${(postbox.server.address() as AddressInfo).port}`;
  },
};

/** The resources of one journey. */
export interface Box {
  readonly folder: string;
  readonly records: string[];
}

/** The setup of a hook for the journey, and the check for its effect. */
interface Ware {
  options(box: Box): object;
  shows(journey: Journey, box: Box): boolean;
}

const asked = ({ asked: all }: Journey, text: string): boolean => all.some((texts) => texts.join('\n').includes(text));
const result = ({ results }: Journey, tool: string): string => results[tool]?.join('\n') ?? '';

export const shelf: Readonly<Record<string, Ware>> = {
  'audit-log': {
    options: ({ records }) => {
      const log = (_: object, name: string) => void records.push(name);
      return { logger: { trace: log, debug: log, info: log, warn: log, error: log } };
    },
    shows: (_, { records }) => records.includes('tool_call_end'),
  },
  'auto-context': {
    options: () => ({ maxTokens: 1_200, keepLast: 1, summary: false }),
    shows: ({ notes }) => notes.includes('auto-context: context-compressed'),
  },
  budget: {
    options: () => ({ limits: [{ of: 'calls', max: 1_000, warnAt: 0.001 }] }),
    shows: ({ notes }) => notes.includes('budget: budget-near'),
  },
  'dangerous-confirmation': {
    options: () => ({ askBy: 'suspend' }),
    shows: ({ pending, ran }) => pending.includes('wipe') && ran['wipe']?.length === 1,
  },
  judge: {
    options: () => ({
      of: ['toolResult'],
      tools: ['flaky'],
      action: 'flag',
      judge: () => ({ pass: false, reason: 'no' }),
    }),
    shows: ({ notes }) => notes.includes('judge: judge-flagged'),
  },
  'long-term-memory': {
    options: ({ folder }) => {
      // Left by a process that ended before its store wrote.
      const left = join(folder, 'state/long-term-memory-left');
      mkdirSync(left, { recursive: true });
      const memory = { id: 'm', text: 'Said darn in lesson 78.', at: Date.now(), sessionId: 'before' };
      writeFileSync(join(left, 'left-1.json'), JSON.stringify({ owner: { userId: 'ann' }, memories: [memory] }));
      return {};
    },
    shows: (journey) => asked(journey, 'lesson 78'),
  },
  'loop-guard': {
    options: () => ({}),
    shows: ({ notes }) => notes.some((note) => note.startsWith('loop-guard: ')),
  },
  'model-fallback': {
    options: () => ({ models: ['other'], on: ['failure'] }),
    shows: ({ notes }) => notes.some((note) => note.startsWith('model-fallback: ')),
  },
  'model-retry': {
    options: () => ({ delayMs: 1 }),
    shows: ({ notes }) => notes.includes('model-retry: model-retried'),
  },
  monitor: {
    options: () => ({}),
    shows: ({ notes }) => notes.includes('monitor: monitor'),
  },
  otel: {
    options: ({ records }) => {
      const onEnd = ({ name }: ReadableSpan) => void records.push(name);
      const ignore = () => Promise.resolve();
      const processor = { onStart() {}, onEnd, forceFlush: ignore, shutdown: ignore };
      return { tracerProvider: new BasicTracerProvider({ spanProcessors: [processor] }) };
    },
    shows: (_, { records }) => records.includes('execute_tool look'),
  },
  permission: {
    options: () => ({ ask: ['stamp'], default: 'allow', askBy: 'suspend' }),
    shows: ({ pending, ran }) => pending.includes('stamp') && ran['stamp']?.length === 1,
  },
  'plan-hint': {
    options: () => ({ begin: 'Make a plan.' }),
    shows: (journey) => asked(journey, 'Make a plan.'),
  },
  'prompt-hint': {
    options: () => ({ hints: [{ text: 'Mind the gap.' }] }),
    shows: ({ asked: all }) => all.every((texts) => texts.join('\n').includes('Mind the gap.')),
  },
  rag: {
    options: ({ folder }) => {
      mkdirSync(join(folder, 'docs'));
      writeFileSync(join(folder, 'docs/darn.md'), 'To say darn is no sin; see passage 77.');
      return { folder: join(folder, 'docs') };
    },
    shows: (journey) => asked(journey, 'passage 77'),
  },
  'rate-limit': {
    options: () => ({ limits: [{ of: 'calls', tools: ['often'], per: ['session'], max: 2, windowMs: 3_600_000 }] }),
    shows: ({ ran }) => ran['often']?.length === 2,
  },
  recorder: {
    options: () => ({}),
    shows: (_, { folder }) => {
      const kept = join(folder, 'state/recordings');
      return (
        existsSync(kept) && readdirSync(kept).some((file) => readFileSync(join(kept, file), 'utf8').includes('wipe'))
      );
    },
  },
  'security-scan': {
    options: () => ({}),
    shows: (journey) => !JSON.stringify(journey.transcript).includes(SECRET),
  },
  skills: {
    options: ({ folder }) => {
      mkdirSync(join(folder, 'skills/darning'), { recursive: true });
      writeFileSync(
        join(folder, 'skills/darning/SKILL.md'),
        '---\nname: darning\ndescription: Mends socks, as chapter 79 says.\n---\nTake a needle.\n',
      );
      return { folders: [join(folder, 'skills')] };
    },
    shows: (journey) => asked(journey, 'chapter 79'),
  },
  streaming: {
    options: ({ folder }) => ({ file: join(folder, 'stream.jsonl'), parts: ['text', 'toolProgress'] }),
    shows: (_, { folder }) => {
      const file = join(folder, 'stream.jsonl');
      return existsSync(file) && readFileSync(file, 'utf8').includes('"last":true');
    },
  },
  'structured-output': {
    options: () => ({
      schema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
      mode: 'format',
    }),
    shows: ({ transcript }) => textOf(transcript.at(-1)!) === '{"done":true}',
  },
  timing: {
    options: () => ({}),
    shows: ({ notes }) => notes.includes('timing: timing'),
  },
  todo: {
    options: () => ({}),
    shows: ({ offered }) => offered.every((tools) => tools.includes('write_todos')),
  },
  'tool-cache': {
    options: () => ({ tools: ['look'] }),
    shows: ({ ran }) => ran['look']?.filter(({ at }) => at === 1).length === 1,
  },
  'tool-params': {
    options: () => ({ params: [{ tools: ['stamp'], add: { by: 'us' } }] }),
    shows: ({ ran }) => ran['stamp']?.[0]?.['by'] === 'us',
  },
  'tool-result-limit': {
    options: () => ({ limits: [{ tools: ['long'], maxChars: 100 }, { maxChars: 100_000 }] }),
    shows: (journey) => result(journey, 'long').length < 300,
  },
  'tool-retry': {
    options: () => ({ tools: ['flaky'], delayMs: 1 }),
    shows: (journey) => result(journey, 'flaky') === 'steady',
  },
  'tool-selection': {
    options: () => ({ rules: [{ hide: ['idle'] }] }),
    shows: ({ offered }) => !offered.flat().includes('idle'),
  },
  'tool-time-limit': {
    options: () => ({ limits: [{ tools: ['slow'], ms: 20 }] }),
    shows: (journey) => result(journey, 'slow').includes('Stopped'),
  },
  webhook: {
    options: ({ folder }) => ({ url: `${postbox.url}${folder}` }),
    shows: (_, { folder }) => postbox.got.get(folder)?.includes('wipe') ?? false,
  },
  'word-filter': {
    options: () => ({ words: ['volume'], prompts: 'off', answers: 'off' }),
    shows: (journey) => !result(journey, 'tome').includes('volume'),
  },
};

/** The hooks of these names, created from the catalogue, with their resources. */
export function take(names: readonly string[]): { readonly hooks: readonly Hook[]; readonly box: Box } {
  const box: Box = { folder: tempFolder('together'), records: [] };
  const catalogue = createCatalogue(builtIns);
  const host = {
    store: memoryStateStore(),
    stateFolder: join(box.folder, 'state'),
    workspace: box.folder,
    ask: 'suspend' as const,
    models: { other: otherModel },
    redact: (text: string) => text.replaceAll(SECRET, '[SECRET]'),
    countTokens: (text: string) => Math.ceil(text.length / 4),
  };
  const hooks = names.map((name) => catalogue.create(name, shelf[name]?.options(box), host));
  return { hooks, box };
}
