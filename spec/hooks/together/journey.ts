import { setTimeout as pause } from 'node:timers/promises';
import { lastValueFrom, tap, toArray } from 'rxjs';
import {
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  type Hook,
  type JsonObject,
  type Message,
  type Model,
  type ModelChunk,
  memoryTranscript,
  type Permission,
  type PostCall,
  pendingCalls,
  type SettledEvent,
  type Tool,
  textOf,
} from '../../../lib/index.ts';

/** Not a real secret, but of a shape that redactors detect. */
export const SECRET = 'AKIAZ7QK2'.concat('MRWX5LTN3PB');
const LONG = 'long and longer '.repeat(400);
const TOME = 'volume by volume '.repeat(600);

/** The outcome of a journey. */
export interface Journey {
  readonly events: readonly SettledEvent[];
  readonly post: SettledEvent<PostCall>;
  /** The tools of pending calls. */
  readonly pending: readonly string[];
  /** The message texts of each request to the main model. */
  readonly asked: readonly (readonly string[])[];
  /** The tools offered in each request. */
  readonly offered: readonly (readonly string[])[];
  /** The inputs of each tool run. */
  readonly ran: Readonly<Record<string, readonly JsonObject[]>>;
  /** The results of all calls of the parent, by tool. */
  readonly results: Readonly<Record<string, readonly string[]>>;
  readonly transcript: readonly Message[];
  readonly notes: readonly string[];
}

type Step = readonly (readonly [name: string, input?: JsonObject])[];

/** The script of the main model, indexed by the number of its own messages in the request, so that retries do not matter. */
const steps: readonly Step[] = [
  [
    ['look', { at: 1 }],
    ['leak'],
    ['flaky'],
    ['long'],
    ['tome'],
    ['slow'],
    ['often', { n: 1 }],
    ['often', { n: 2 }],
    ['often', { n: 3 }],
    ['helper', { prompt: 'help' }],
  ],
  [['again']],
  [['again']],
  [['again']],
  [['look', { at: 1 }]],
  [['stamp'], ['wipe', { path: 'all', how: 'delete' }]],
];
/** The steps that fail at the first attempt, with their error. */
const FAILS: Readonly<Record<number, object>> = { 2: {}, 3: { status: 503 } };

function answer(step: number, visit: number, fits: string): ModelChunk[] {
  const calls = steps[step];
  const end = { usage: { inputTokens: 100, outputTokens: 10 } };
  if (!calls)
    return [
      { type: 'text', delta: visit === 0 ? 'All is done, and darn well.' : fits },
      { type: 'finish', finishReason: 'stop', ...end },
    ];
  return [
    ...calls.map(
      ([name, input = {}], index): ModelChunk => ({
        type: 'toolCall',
        toolCall: { id: `${step}.${index}`, name, input },
      }),
    ),
    { type: 'finish', finishReason: 'toolCalls', ...end },
  ];
}

/** A model that follows these steps. `asked` collects the message texts, `offered` the tools. */
function stepping(asked: string[][], offered: string[][], fails: typeof FAILS = {}): Model {
  const visits = new Map<number, number>();
  return ({ messages, tools }) => {
    // An invalid answer is repeated with its validation errors.
    const step = Math.min(messages.filter(({ role }) => role === 'assistant').length, steps.length);
    asked.push(messages.map(textOf));
    offered.push(tools.map(({ name }) => name));
    const visit = visits.get(step) ?? 0;
    visits.set(step, visit + 1);
    const before = fails[step] ? 1 : 0;
    if (visit < before) throw Object.assign(new Error('the model is overloaded'), fails[step]);
    return (async function* () {
      yield* answer(step, visit - before, '{"done":true}');
    })();
  };
}

/** A model for `model-fallback` and other hooks that name one. It continues after the failure of the other. */
export const otherModel: Model = stepping([], []);

const helperModel: Model = ({ messages }) =>
  (async function* (): AsyncGenerator<ModelChunk> {
    const first = !messages.some(({ role }) => role === 'assistant');
    yield first
      ? { type: 'toolCall', toolCall: { id: 'h1', name: 'look', input: { at: 2 } } }
      : { type: 'text', delta: 'helped' };
    yield { type: 'finish', finishReason: first ? 'toolCalls' : 'stop', usage: { inputTokens: 10, outputTokens: 1 } };
  })();

/** Runs an agent with concurrent calls, a sub-agent, a model request that fails once, and a suspension that is approved. */
export async function journey(hooks: readonly Hook[]): Promise<Journey> {
  const [asked, offered]: [string[][], string[][]] = [[], []];
  const ran: Record<string, JsonObject[]> = {};
  const tool = (name: string, permission: Permission, execute: (run: number, signal: AbortSignal) => unknown): Tool =>
    defineTool({
      name,
      description: `Does ${name}.`,
      inputSchema: { type: 'object' },
      permission,
      execute: async (input, { signal }) => {
        ran[name] ??= [];
        ran[name].push(input as JsonObject);
        return (await execute(ran[name].length, signal)) as string;
      },
    });
  const look = tool('look', 'read', () => 'seen');
  const helper = createAgent({ name: 'helper', model: helperModel, tools: [look], pipeline: createPipeline([]) });
  const tools = [
    look,
    tool('leak', 'read', () => `the key is ${SECRET}`),
    tool('flaky', 'read', (run) => {
      if (run === 1) throw Object.assign(new Error('overloaded'), { status: 503 });
      return 'steady';
    }),
    tool('long', 'read', () => LONG),
    tool('tome', 'read', () => TOME),
    tool('slow', 'read', async (_, signal) => {
      // In small steps, because of two overdue timers the longer one may fire first.
      for (let nth = 0; nth < 20; nth++) await pause(10, undefined, { signal });
      return 'late';
    }),
    tool('often', 'read', () => 'ok'),
    tool('again', 'read', () => 'same'),
    tool('idle', 'read', () => 'never'),
    tool('stamp', 'write', () => 'stamped'),
    tool('wipe', 'write', () => 'wiped'),
    agentTool(helper, { description: 'Helps.', permission: 'read' }),
  ];
  const transcript = memoryTranscript();
  const events: SettledEvent[] = [];
  const seen = tap((event: SettledEvent) => void events.push(event));
  const pipeline = createPipeline([askAgain, ...hooks], { log: { debug() {}, info() {}, warn() {}, error() {} } });
  const agent = createAgent({
    name: 'main',
    model: stepping(asked, offered, FAILS),
    tools,
    parallel: 'all',
    pipeline,
    transcript,
  });
  const who = { sessionId: 's', userId: 'ann' };
  let post = last(await lastValueFrom(agent.run('please do it all, darn', who).pipe(seen, toArray())));
  const pending: string[] = [];
  while (post.outcome === 'suspended' && pending.length < 10) {
    // As another process would load it.
    const snapshot = JSON.parse(JSON.stringify(post.snapshot)) as JsonObject;
    const open = pendingCalls(snapshot);
    pending.push(...open.map(({ toolCall }) => toolCall.name));
    const answers = Object.fromEntries(open.map(({ key }) => [key, { approved: true }]));
    post = last(await lastValueFrom(agent.resume(snapshot, answers).pipe(seen, toArray())));
  }
  await pipeline.flush();
  const results: Record<string, string[]> = {};
  for (const event of events) {
    if (event.type !== 'postActing' || event.run.depth > 0) continue;
    const { content } = event.result;
    results[event.toolCall.name] ??= [];
    results[event.toolCall.name]?.push(typeof content === 'string' ? content : JSON.stringify(content));
  }
  return {
    events,
    post,
    pending,
    asked,
    offered,
    ran,
    results,
    transcript: transcript.sessions.get('s') ?? [],
    notes: events.flatMap(({ notes = [] }) => notes.map(({ by, code }) => `${by}: ${code}`)),
  };
}

const askAgain = defineHook({
  name: 'ask again',
  on: {
    error: (event) => (event.phase === 'reasoning' ? { ...event, decision: { action: 'retry' } } : event) as never,
  },
});

function last(events: readonly SettledEvent[]): SettledEvent<PostCall> {
  const post = events.at(-1);
  if (post?.type !== 'postCall') throw new Error(`The run ended with ${post?.type}.`);
  return post as SettledEvent<PostCall>;
}
