import * as ai from 'ai';
import { withHooks } from '../../../lib/adapters/ai-sdk/index.ts';
import { createPipeline, defineHook } from '../../../lib/index.ts';
import type { BenchResult } from '../result.ts';
import { usual } from '../usual.ts';
import { aiSdkModel, aiSdkTools as tools } from './ai-sdk-scene.ts';
import { allocationsOf } from './allocations.ts';

const STEPS = 50;
const CHUNKS = 2_000;
/** Until the compiler of V8 has optimized both: the first runs cost three times as much. */
const WARM = 100;
const ROUNDS = 20;

const nothing = { preReasoning() {}, reasoningChunk() {}, postReasoning() {}, preActing() {}, postActing() {} };
const pipeline = createPipeline(
  Array.from({ length: 10 }, (_, nth) => defineHook({ name: `hook-${nth}`, on: nothing })),
);
const hooked = withHooks(ai, pipeline, { agent: 'bench' });

/** AI SDK 7 with ten no-op hooks around it against the SDK alone, and a chunk of a stream against one of the SDK's own transforms. */
export async function aiSdkLoopBench(): Promise<BenchResult[]> {
  const contenders = {
    generate: () => steps(ai.generateText),
    generateHooked: () => steps(hooked.generateText),
    stream: () => streamed(ai.streamText),
    streamHooked: () => streamed(hooked.streamText),
    chunk: () => streamed(ai.streamText, 0, CHUNKS),
    transformed: () => streamed(ai.streamText, 0, CHUNKS, { experimental_transform: () => new TransformStream() }),
    chunkHooked: () => streamed(hooked.streamText, 0, CHUNKS),
  };
  const rounds: Record<keyof typeof contenders, number>[] = [];
  for (const work of [contenders.generate, contenders.generateHooked, contenders.stream, contenders.streamHooked])
    for (let round = 0; round < WARM; round++) await work();
  for (const work of [contenders.chunk, contenders.transformed, contenders.chunkHooked]) await work();
  for (let round = 0; round < ROUNDS; round++) {
    const times = {} as Record<keyof typeof contenders, number>;
    for (const [name, work] of Object.entries(contenders)) times[name as keyof typeof contenders] = await timed(work);
    rounds.push(times);
  }
  const row = async (
    name: string,
    most: number,
    [measured, against]: readonly [keyof typeof contenders, keyof typeof contenders],
    size: number,
  ): Promise<BenchResult> => ({
    name,
    unit: 'times the cost',
    value: usual(rounds, (times) => times[measured] / times[against]),
    most,
    allocations: {
      measured: await allocationsOf(contenders[measured], size),
      against: await allocationsOf(contenders[against], size),
    },
  });
  return [
    await row(
      'step of generateText (AI SDK 7) with 10 no-op hooks, against without',
      2.5,
      ['generateHooked', 'generate'],
      STEPS,
    ),
    await row('the same of streamText', 1.5, ['streamHooked', 'stream'], STEPS),
    await row(
      'streamed chunk with 10 no-op hooks, against experimental_transform',
      1.5,
      ['chunkHooked', 'transformed'],
      CHUNKS,
    ),
  ];
}

async function steps(generateText: typeof ai.generateText): Promise<void> {
  const model = aiSdkModel(STEPS);
  const result = await generateText({ model, tools, prompt: 'Go.', stopWhen: ai.isStepCount(100) });
  if (result.steps.length !== STEPS + 1) throw new Error(`${result.steps.length} steps`);
}

async function streamed(streamText: typeof ai.streamText, count = STEPS, chunks = 1, more: object = {}): Promise<void> {
  const model = aiSdkModel(count, chunks);
  const result = streamText({ model, tools, prompt: 'Go.', stopWhen: ai.isStepCount(100), ...more });
  let made = 0;
  // Not `result.steps`: the SDK reads the stream once more for it, in the time of the next contender.
  for await (const { type } of result.fullStream) if (type === 'finish-step') made += 1;
  if (made !== count + 1) throw new Error(`${made} steps`);
}

/** Microseconds of the processor's: what others do on the machine does not count. */
async function timed(work: () => Promise<void>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return user + system;
}
