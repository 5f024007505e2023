import { createHook } from 'node:async_hooks';
import { Session } from 'node:inspector/promises';
import type { Allocations } from '../result.ts';

/** V8 samples an allocation for each of so many bytes. */
const SAMPLED_BYTES = 1_024;

/** Returns what each of the `steps` of some work allocates. Counting makes it slow, so its time is not measured. */
export async function allocationsOf(work: () => Promise<unknown>, steps: number): Promise<Allocations> {
  await work();
  const [promises, bytes] = [await promisesOf(work), await bytesOf(work)];
  return { promises: promises / steps, kilobytes: bytes / 1_000 / steps };
}

async function promisesOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'PROMISE') count += 1;
    },
  }).enable();
  await work();
  hook.disable();
  return count;
}

/** Garbage counts too, so the size of the heap before and after would not do. */
async function bytesOf(work: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLED_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as object);
  await work();
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  return sizeOf(profile.head);
}

interface Node {
  readonly selfSize: number;
  readonly children: readonly Node[];
}

function sizeOf({ selfSize, children }: Node): number {
  return children.reduce((sum, child) => sum + sizeOf(child), selfSize);
}
