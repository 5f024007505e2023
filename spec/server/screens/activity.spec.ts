import { expect } from 'chai';
import { deferred } from '../../../lib/server/runs/deferred.ts';
import { type Activity, createActivities } from '../../../lib/server/screens/activity.ts';

const run = (id: number): Activity => ({ type: 'run', user: 'ada', data: { runId: `r${id}` } });
const runs = (count: number): Activity[] => Array.from({ length: count }, (_, id) => run(id));

const closing: (() => void)[] = [];

/** Creates a stream of ada whose lookup ends when `answer` is called. */
function opened() {
  const activities = createActivities();
  closing.push(activities.close);
  const known = deferred<readonly Activity[]>();
  let released = 0;
  const stream = activities.stream(
    { who: { user: 'ada' }, approves: true, all: false },
    () => known.promise,
    () => released++,
  );
  return { activities, answer: known.resolve, stream, released: () => released };
}

/** Returns the names of the events until the stream ends or `count` have arrived. */
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

describe('activity stream', () => {
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it('sends all existing entries, in any number, to a client that has read nothing yet', async () => {
    const { answer, stream } = opened();
    answer(runs(1_200));
    await settled();
    expect(await names(stream, 1_201)).to.deep.equal([...Array(1_200).fill('run'), 'ready']);
  });

  it('sends all changes during the lookup after it, in any number', async () => {
    const { activities, answer, stream } = opened();
    for (const one of runs(900)) activities.publish(one);
    answer(runs(500));
    await settled();
    expect(await names(stream, 1_401)).to.deep.equal([...Array(500).fill('run'), 'ready', ...Array(900).fill('run')]);
  });

  it('disconnects a client with a thousand unread events, once and without effect on others', async () => {
    const { activities, answer, stream, released } = opened();
    const other = activities.stream(
      { who: { user: 'ada' }, approves: true, all: false },
      async () => [],
      () => {},
    );
    answer(runs(3));
    await settled();
    const heard = names(other, 1_501);
    for (const one of runs(1_500)) {
      activities.publish(one);
      await Promise.resolve();
    }
    expect((await heard).length).to.equal(1_501);
    expect(released()).to.equal(1);
    const failed = await names(stream).catch((error: Error) => error.message);
    expect(failed).to.match(/does not read/);
  });

  it('ends a stream during its lookup when the server closes', async () => {
    const { activities, answer, stream, released } = opened();
    activities.close();
    answer(runs(3));
    expect(await names(stream)).to.deep.equal([]);
    expect(released()).to.equal(1);
  });
});
