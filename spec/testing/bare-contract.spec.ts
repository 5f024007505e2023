import { expect } from 'chai';
import type { JsonValue } from '../../lib/index.ts';
import { type BareHost, type BareScene, bareContract } from '../../lib/testing/index.ts';
import { randomTurns } from '../../lib/testing/loops/random-turns.ts';

/** A loop that runs the calls of answers with `runs` reasons. */
const loop = (
  runs: (scene: BareScene, reason: string | undefined) => boolean,
  more: (scene: BareScene) => JsonValue,
) => ({
  name: 'small',
  async play(scene: BareScene): Promise<JsonValue> {
    const steps: JsonValue[] = [];
    for (const { chunks, calls = [], finishReason } of scene.turns) {
      steps.push([chunks.join(''), finishReason ?? 'none']);
      if (!runs(scene, finishReason)) continue;
      for (const { name, input } of calls)
        try {
          scene.tools.find((tool) => tool.name === name)?.execute(input);
        } catch {
          steps.push('failed');
        }
    }
    return { steps, more: more(scene) };
  },
});
const issues = async (host: BareHost): Promise<readonly string[]> =>
  Promise.all(
    bareContract(host, { runs: 5 }).map(({ check }) =>
      check().then(
        () => '',
        (thrown: Error) => thrown.message,
      ),
    ),
  );

describe('the contract of hooks without effect', () => {
  it('holds for a loop that is the same with hooks', async () => {
    expect(
      new Set(
        await issues(
          loop(
            (_, reason) => reason === undefined,
            () => ({}),
          ),
        ),
      ),
    ).to.deep.equal(new Set(['']));
  });

  it('detects calls that run only with hooks, and reports the answers', async () => {
    const host = loop(
      ({ pipeline }, reason) => pipeline !== undefined || reason === undefined,
      () => ({}),
    );
    for (const issue of await issues(host))
      expect(issue)
        .to.match(/differs from the run without it \(seed \d\)/)
        .and.contain('"calls"');
  });

  it('detects values that exist only with hooks, only without them, or differ', async () => {
    const always = () => true;
    for (const [more, told] of [
      [({ pipeline }: BareScene): JsonValue => (pipeline ? { a: 1 } : {}), 'more.a: 1, not nothing'],
      [({ pipeline }: BareScene): JsonValue => (pipeline ? {} : { a: 1 }), 'more.a: nothing, not 1'],
      [({ pipeline }: BareScene): JsonValue => ({ a: [pipeline === undefined] }), 'more.a.0: false, not true'],
    ] as const)
      for (const issue of await issues(loop(always, more))) expect(issue).to.contain(told);
  });

  it('tests each variant, streamed and whole, with each hook', () => {
    const host = {
      ...loop(
        () => true,
        () => ({}),
      ),
      variants: ['plain', 'other'],
    };
    const titles = bareContract(host).map(({ title }) => title);
    expect(titles).to.have.length(8);
    expect(new Set(titles).size).to.equal(8);
  });

  it('plays answers with every reason, with and without calls, thinking and text', () => {
    const turns = Array.from({ length: 40 }, (_, seed) => randomTurns(seed + 1)).flat();
    for (const reason of ['stop', 'length', 'contentFilter', 'other', undefined])
      for (const count of [0, 1, 2])
        expect(
          turns.some(({ finishReason, calls = [] }) => finishReason === reason && calls.length === count),
          `${reason} with ${count} calls`,
        ).to.equal(true);
    expect(turns.some(({ thoughts = [] }) => thoughts.length > 0)).to.equal(true);
    expect(turns.some(({ streamsInput = false }) => streamsInput)).to.equal(true);
    expect(randomTurns(7)).to.deep.equal(randomTurns(7));
  });
});
