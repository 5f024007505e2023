import { concat, from, isObservable, NEVER, type Observable, of, toArray } from 'rxjs';
import { z } from 'zod';
import {
  type Agent,
  type AgentOptions,
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  type HookDefinition,
  type Logger,
  type Model,
  type ModelChunk,
  memoryTranscript,
  type SettledEvent,
  verdict,
} from '../../../lib/index.ts';

/** Replaces a part of the host: it receives the regular value and throws or returns anything. */
export type Misbehave = (neutral: unknown) => unknown;

type Parts = Omit<Partial<HookDefinition>, 'name'>;
type Part = (misbehave: Misbehave) => { readonly hook?: Parts; readonly agent?: Partial<AgentOptions> };

const handler =
  (type: string): Part =>
  (misbehave) => ({ hook: { on: { [type]: (event: unknown) => misbehave(event) } as never } });

const finish: ModelChunk = { type: 'finish', finishReason: 'stop' };
const calls: readonly ModelChunk[] = [
  { type: 'text', delta: 'let me look' },
  { type: 'toolCall', toolCall: { id: 'c1', name: 'look', input: {} } },
  { type: 'finish', finishReason: 'toolCalls' },
];

/** All places in a run that call foreign code. */
export const places = {
  'on.preCall': handler('preCall'),
  'on.preReasoning': handler('preReasoning'),
  'on.reasoningChunk': handler('reasoningChunk'),
  'on.postReasoning': handler('postReasoning'),
  'on.preActing': handler('preActing'),
  'on.actingChunk': handler('actingChunk'),
  'on.postActing': handler('postActing'),
  'on.postCall': handler('postCall'),
  'on.error': (misbehave) => ({
    hook: {
      on: {
        preCall: () => {
          throw new Error('first');
        },
        error: (event) => misbehave(event) as never,
      },
    },
  }),
  'through.reasoningChunk': (misbehave) => ({
    hook: { through: { reasoningChunk: (chunks$) => misbehave(chunks$) as never } },
  }),
  'through.actingChunk': (misbehave) => ({
    hook: { through: { actingChunk: (chunks$) => misbehave(chunks$) as never } },
  }),
  'around.reasoning': (misbehave) => ({
    hook: { around: { reasoning: (_event, next) => misbehave(next()) as never } },
  }),
  'around.acting': (misbehave) => ({ hook: { around: { acting: (_event, next) => misbehave(next()) as never } } }),
  approve: (misbehave) => ({ hook: { approve: () => misbehave(verdict.allow()) as never } }),
  observe: (misbehave) => ({ hook: { observe: (event) => misbehave(event) } }),
  model: (misbehave) => {
    const model: Model = () => misbehave(from([{ type: 'text', delta: 'hello' }, finish] as const)) as never;
    return { agent: { model } };
  },
  tool: (misbehave) => ({ agent: { tools: [look(() => misbehave('seen'))] } }),
  deliver: (misbehave) => ({
    agent: {
      tools: [look(() => ({ content: 'seen', isError: false, forUser: 'see' }))],
      deliver: () => misbehave('ok'),
    },
  }),
  'transcript.load': (misbehave) => {
    const store = memoryTranscript();
    return { agent: { transcript: { ...store, load: () => misbehave([]) as never } } };
  },
  'transcript.append': (misbehave) => {
    const store = memoryTranscript();
    return { agent: { transcript: { ...store, append: () => misbehave(undefined) as never } } };
  },
} satisfies Record<string, Part>;

export type Place = keyof typeof places;

/** An agent with one misbehaving part. Its model calls the tool `look` once and then answers. */
export function misbehavingAgent(place: Place, misbehave: Misbehave, lines: unknown[] = []): Agent {
  const { hook, agent } = (places[place] as Part)(misbehave);
  const log = (fields: object | string, message?: string) => void lines.push([message ?? fields, fields]);
  const logger: Logger = { debug: () => {}, info: () => {}, warn: log, error: log, child: () => logger };
  const pipeline = createPipeline(hook ? [defineHook({ name: 'misbehaving', timeoutMs: 30, ...hook })] : [], {
    log: logger,
  });
  let asked = 0;
  const model: Model = () => {
    asked += 1;
    return from(
      asked % 2 === 1 ? calls : ([{ type: 'text', delta: 'hello' }, finish] as const),
    ) as Observable<ModelChunk>;
  };
  return createAgent({ name: 'test', model, tools: [look(() => 'seen')], pipeline, ...agent });
}

function look(execute: () => unknown) {
  return defineTool({
    name: 'look',
    description: '',
    inputSchema: z.object({}),
    permission: 'read',
    execute: (_input, { emit }) => {
      void emit('..');
      return execute() as never;
    },
  });
}

/** The regular value as an Observable that continues as `rest` defines. */
export function asStream(neutral: unknown, rest: 'ends' | 'waits'): Observable<unknown> {
  const given = isObservable(neutral) ? neutral : of(neutral);
  return rest === 'ends' ? given : concat(given, NEVER);
}

/** All events of a run, or a failure if it has not ended in time. */
export function within<T>(promise: Promise<T>, what: string, ms = 5_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has not ended`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export function eventsOf(run$: Observable<SettledEvent>): Promise<SettledEvent[]> {
  return new Promise((resolve, reject) => run$.pipe(toArray()).subscribe({ next: resolve, error: reject }));
}
