import { generateText, isStepCount, streamText } from 'ai';
import { concatMap, from, lastValueFrom, of } from 'rxjs';
import { z } from 'zod';
import {
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  type Hook,
  type Message,
  type Model,
  type ModelChunk,
  memoryTranscript,
} from '../../../lib/index.ts';
import { aiSdkModel, aiSdkTools as tools } from '../loops/ai-sdk-scene.ts';
import { usual } from '../usual.ts';

const STEPS = 50;
const ROUNDS = 60;
const HOOKS = 10;
/** Handlers of a hook that are asked in each step and answer later. */
const WAITS = 4;

/** Microseconds of a step, and of one `concatMap(async ..)`. */
export interface StepTimes {
  /** The agent with ten hooks that do nothing, and with ten that do nothing asynchronously, in `waits` calls a step. */
  readonly hooked: number;
  readonly waiting: number;
  readonly waits: number;
  /** The agent without hooks behind 200 and 4,000 messages. */
  readonly short: number;
  readonly long: number;
  readonly generate: number;
  readonly stream: number;
  readonly concatMap: number;
}

type Contender = Exclude<keyof StepTimes, 'waits'>;

const nothing = { preReasoning() {}, reasoningChunk() {}, postReasoning() {}, preActing() {}, postActing() {} };
const soon = {
  reasoningChunk() {},
  async preReasoning() {},
  async postReasoning() {},
  async preActing() {},
  async postActing() {},
};
const usage = { inputTokens: 10, outputTokens: 10 };

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  permission: 'read',
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => `seen ${path}`,
});

function scripted(): Model {
  let asked = 0;
  return () => {
    asked += 1;
    const toolCall = { id: `c${asked}`, name: 'look', input: { path: '.' } };
    return from<ModelChunk[]>(
      asked > STEPS
        ? [
            { type: 'text', delta: 'Done.' },
            { type: 'finish', finishReason: 'stop', usage },
          ]
        : [
            { type: 'text', delta: 'Let me look.' },
            { type: 'toolCall', toolCall },
            { type: 'finish', finishReason: 'toolCalls', usage },
          ],
    );
  };
}

/** Microseconds of a step, from the first question to the end. */
function ours(hooks: readonly Hook[], behind = 0): () => Promise<number> {
  const pipeline = createPipeline(hooks);
  const history = Array.from(
    { length: behind },
    (_, place): Message => ({
      role: place % 2 === 0 ? 'user' : 'assistant',
      parts: [{ type: 'text', text: `Message ${place}.` }],
    }),
  );
  return async () => {
    const transcript = memoryTranscript();
    transcript.append('s', history);
    const model = scripted();
    const agent = createAgent({ name: 'a', model, tools: [look], pipeline, transcript, maxIterations: 100 });
    let began: NodeJS.CpuUsage | undefined;
    await new Promise<void>((resolve, reject) => {
      agent.run('Go.', { sessionId: 's' }).subscribe({
        next(event) {
          if (event.type === 'preReasoning') began ??= process.cpuUsage();
          if (event.type === 'postCall' && event.outcome !== 'completed') reject(new Error(event.reason));
        },
        error: reject,
        complete: resolve,
      });
    });
    return since(began) / STEPS;
  };
}

async function generate(): Promise<number> {
  const began = process.cpuUsage();
  const { steps } = await generateText({ model: aiSdkModel(STEPS), tools, prompt: 'Go.', stopWhen: isStepCount(100) });
  if (steps.length !== STEPS + 1) throw new Error(`${steps.length} steps`);
  return since(began) / STEPS;
}

async function stream(): Promise<number> {
  const began = process.cpuUsage();
  const answer = streamText({ model: aiSdkModel(STEPS), tools, prompt: 'Go.', stopWhen: isStepCount(100) });
  for await (const part of answer.fullStream) void part;
  if ((await answer.steps).length !== STEPS + 1) throw new Error('not all steps were made');
  return since(began) / STEPS;
}

async function concatMapAsync(): Promise<number> {
  const count = 200;
  const wait = () => concatMap(async (event: object) => event);
  const began = process.cpuUsage();
  for (let nth = 0; nth < count; nth++) {
    const chain$ = of({}).pipe(wait(), wait(), wait(), wait(), wait(), wait(), wait(), wait(), wait(), wait());
    await lastValueFrom(chain$);
  }
  return since(began) / count / HOOKS;
}

/** Microseconds of the processor's: what others do on the machine does not count. */
function since(began: NodeJS.CpuUsage | undefined): number {
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

function ten(on: Hook['on']): Hook[] {
  return Array.from({ length: HOOKS }, (_, nth) => defineHook({ name: `h${nth}`, ...(on && { on }) }));
}

async function main(): Promise<void> {
  const contenders: Record<Contender, () => Promise<number>> = {
    hooked: ours(ten(nothing)),
    waiting: ours(ten(soon)),
    short: ours([], 200),
    long: ours([], 4_000),
    generate,
    stream,
    concatMap: concatMapAsync,
  };
  const names = Object.keys(contenders) as Contender[];
  const rounds: Record<Contender, number>[] = [];
  // The first half is for warming up.
  for (let round = 0; round < ROUNDS; round++) {
    const took = {} as Record<Contender, number>;
    for (const name of names) took[name] = await contenders[name]();
    if (round >= ROUNDS / 2) rounds.push(took);
  }
  const times = Object.fromEntries(names.map((name) => [name, usual(rounds, (round) => round[name])]));
  console.log(JSON.stringify({ ...times, waits: HOOKS * WAITS }));
}

void main();
