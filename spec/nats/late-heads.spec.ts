import { expect } from 'chai';
import type { Bucket, Change, Held } from '../../lib/nats/bucket.ts';
import type { LogStream } from '../../lib/nats/log-stream.ts';
import { natsRuns } from '../../lib/nats/nats-runs.ts';

describe('a head that changed without notice', () => {
  /** A bucket whose watch reports nothing after the first values. */
  function silentBucket(): Bucket & { change(data: object): void } {
    let held: Held | undefined;
    let name = '';
    return {
      change(data) {
        held = { data: Buffer.from(JSON.stringify(data)), sequence: (held?.sequence ?? 0) + 1, parts: undefined };
      },
      get: async () => held,
      async put(at, data, before) {
        if ((before?.sequence ?? 0) !== (held?.sequence ?? 0)) return undefined;
        name = at;
        held = { data: Buffer.from(data), sequence: (held?.sequence ?? 0) + 1, parts: undefined };
        return held.sequence;
      },
      remove: async () => true,
      names: async () => [name],
      async watch(changed: (change: Change) => void, ready) {
        if (held) changed({ name, at: Date.now(), data: held.data });
        ready();
        return () => {};
      },
    };
  }

  const emptyLog = {
    read: async () => ({ additions: [], end: 0 }),
    append: async () => 1,
  } as unknown as LogStream;

  it('is in the list once a take-over has found it', async () => {
    const bucket = silentBucket();
    const runs = natsRuns(bucket, emptyLog, 60_000);
    const key = { user: 'ann', runId: 'r' };
    await runs.append(key, { head: { n: 1 } });
    const [seen] = await runs.list();
    bucket.change({ ...key, head: { n: 2 } });
    expect(await runs.takeOver!(key, seen!.head, { n: 3 })).to.equal(undefined);
    const [now] = await runs.list();
    expect(now?.head).to.deep.equal({ n: 2 });
    expect(await runs.takeOver!(key, now!.head, { n: 3 })).to.not.equal(undefined);
  });
});
