import { expect } from 'chai';
import { builtIns } from '../../../lib/hooks/built-ins.ts';
import { type Journey, journey } from './journey.ts';
import { postbox, shelf, take } from './shelf.ts';

/** Long specs run in `npm run soak`. */
const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;

const names = builtIns.map(({ name }) => name);
/** The number of concurrent journeys. They wait most of the time. */
const AT_ONCE = 40;
const SHUFFLES = SOAK ? 5 : 2;

/** Runs the journey under these hooks and returns the built-in hooks without an effect. */
async function go(taken: readonly string[]): Promise<{ readonly made: Journey; readonly missing: readonly string[] }> {
  const { hooks, box } = take(taken);
  const made = await journey(hooks);
  return { made, missing: names.filter((name) => !shelf[name]?.shows(made, box)) };
}

/** The compared parts of a journey: call outcomes, transcript and end. */
function outcomeOf({ post, results, pending, transcript, ran }: Journey): unknown {
  return {
    end: post.outcome,
    pending: [...pending].sort(),
    // The wait depends on the moment.
    results: Object.entries(results)
      .map(([name, texts]) => [name, texts.map((text) => text.replace(/in \d+ s\b/g, 'later'))] as const)
      .sort(),
    ran: Object.entries(ran)
      .map(([name, inputs]) => [name, inputs.length])
      .sort(),
    roles: transcript.map(({ role }) => role),
  };
}

function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  return list
    .map((one) => [next(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

describe('the built-in hooks together', function () {
  this.timeout(0);
  before(() => postbox.open());
  after(() => postbox.server.close());

  it('each has a part in the scenario', () => {
    expect(Object.keys(shelf).sort()).to.deep.equal([...names].sort());
  });

  it('none of their effects appears without them', async () => {
    const { made, missing } = await go([]);
    expect(missing).to.deep.equal(names);
    expect(made.post.outcome).to.equal('completed');
  });

  it('each has its effect alone', async () => {
    for (const name of names) {
      const { made, missing } = await go([name]);
      expect(made.post.outcome, `${name}: ${made.post.reason}`).to.equal('completed');
      expect(missing, name).to.have.members(names.filter((other) => other !== name));
    }
  });

  if (SOAK)
    it('each pair has both effects', async () => {
      const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
      for (let at = 0; at < pairs.length; at += AT_ONCE)
        await Promise.all(
          pairs.slice(at, at + AT_ONCE).map(async (pair, index) => {
            // The order of registration must not matter.
            const { made, missing } = await go(index % 2 === 0 ? pair : [...pair].reverse());
            expect(made.post.outcome, `${pair.join(' and ')}: ${made.post.reason}`).to.equal('completed');
            for (const name of pair) expect(missing, pair.join(' and ')).not.to.include(name);
          }),
        );
    });

  it('all have their effects with the same outcome in any order', async () => {
    const first = await go(names);
    expect(first.missing).to.deep.equal([]);
    expect(first.made.post.outcome).to.equal('completed');
    expect(
      first.made.events.flatMap((event) =>
        event.type === 'error' && event.source === 'hook' ? [event.error.message] : [],
      ),
    ).to.deep.equal([]);
    for (let seed = 1; seed <= SHUFFLES; seed += 1) {
      const { made, missing } = await go(shuffled(names, seed));
      expect(missing, `seed ${seed}`).to.deep.equal([]);
      expect(outcomeOf(made), `seed ${seed}`).to.deep.equal(outcomeOf(first.made));
    }
  });
});
