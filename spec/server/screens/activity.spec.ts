import { expect } from 'chai';
import { deferred } from '../../../lib/server/runs/deferred.ts';
import { type Activity, createActivities } from '../../../lib/server/screens/activity.ts';

const run = (id: number): Activity => ({ type: 'run', user: 'ada', data: { id } });
const runs = (count: number): Activity[] => Array.from({ length: count }, (_, id) => run(id));

const closing: (() => void)[] = [];

/** A stream of ada's whose look-up ends when `answer` is called. */
function opened() {
  const activities = createActivities();
  closing.push(activities.close);
  const known = deferred<readonly Activity[]>();
  let released = 0;
  const stream = activities.stream(
    { user: 'ada' },
    true,
    () => known.promise,
    () => released++,
  );
  return { activities, answer: known.resolve, stream, released: () => released };
}

/** The names of the events that come until the stream ends or `count` have come. */
async function names(stream: ReadableStream<Uint8Array>, count = Number.POSITIVE_INFINITY): Promise<string[]> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const told: string[] = [];
  while (told.length < count) {
    const { done, value } = await reader.read();
    if (done) break;
    told.push(...[...decoder.decode(value).matchAll(/^event: (\w+)$/gm)].map(([, name = '']) => name));
  }
  return told;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the activity of a server', () => {
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it('tells all that there is, however much, to a client that has taken nothing yet', async () => {
    const { answer, stream } = opened();
    answer(runs(1_200));
    await settled();
    expect(await names(stream, 1_201)).to.deep.equal([...Array(1_200).fill('run'), 'ready']);
  });

  it('tells what happened during the look-up behind it, however much', async () => {
    const { activities, answer, stream } = opened();
    for (const one of runs(900)) activities.tell(one);
    answer(runs(500));
    await settled();
    expect(await names(stream, 1_401)).to.deep.equal([...Array(500).fill('run'), 'ready', ...Array(900).fill('run')]);
  });

  it('cuts a client that leaves a thousand later events untaken, once and without hurting others', async () => {
    const { activities, answer, stream, released } = opened();
    const other = activities.stream(
      { user: 'ada' },
      true,
      async () => [],
      () => {},
    );
    answer(runs(3));
    await settled();
    const heard = names(other, 1_501);
    for (const one of runs(1_500)) {
      activities.tell(one);
      await Promise.resolve();
    }
    expect((await heard).length).to.equal(1_501);
    expect(released()).to.equal(1);
    const failed = await names(stream).catch((error: Error) => error.message);
    expect(failed).to.match(/does not read/);
  });

  it('ends a stream whose look-up is under way when the server closes', async () => {
    const { activities, answer, stream, released } = opened();
    activities.close();
    answer(runs(3));
    expect(await names(stream)).to.deep.equal([]);
    expect(released()).to.equal(1);
  });
});
