import type { FinishReason } from '../../events/parts/finish-reason.ts';
import type { BareTurn } from './bare-host.ts';

const REASONS: readonly (FinishReason | undefined)[] = [undefined, 'stop', 'length', 'contentFilter', 'other'];
const WORDS = ['Look', 'ing ', 'at it. ', '', 'It is ', 'mild.', '\n'];
const TOOLS = ['look', 'peek', 'fail'];

/** Returns random answers of a model, the same for the same seed. The last one has no calls. */
export function randomTurns(seed: number): readonly BareTurn[] {
  const below = numbersOf(seed);
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const some = (most: number): readonly string[] => Array.from({ length: below(most + 1) }, () => pick(WORDS));
  let calls = 0;
  const turn = (): BareTurn => {
    const finishReason = pick(REASONS);
    return {
      chunks: some(3),
      ...(below(3) === 0 && { thoughts: some(2) }),
      calls: Array.from({ length: below(3) }, () => {
        calls += 1;
        return { id: `call-${calls}`, name: pick(TOOLS), input: { at: pick(['x', 'y']) } };
      }),
      ...(finishReason && { finishReason }),
      streamsInput: below(2) === 0,
    };
  };
  return [turn(), turn(), turn(), { chunks: ['Done.'] }];
}

/** Returns numbers below a bound from a seed. A linear congruential generator is random enough. */
function numbersOf(seed: number): (bound: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
