import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { NEVER } from 'rxjs';
import { cancelRun, isCancellable, keepCancellable } from '../../lib/events/cancel-run.ts';
import type { RunInfo } from '../../lib/events/parts/run-info.ts';
import { createAgent, createPipeline, type SettledEvent } from '../../lib/index.ts';
import { silentLogger } from '../../lib/pipeline/logger.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Starts a run whose model never answers. */
function aHangingRun() {
  const events: SettledEvent[] = [];
  const agent = createAgent({
    ...{ name: 'a', model: () => NEVER },
    pipeline: createPipeline([], { log: silentLogger }),
  });
  agent.run('Hi').subscribe((event) => events.push(event));
  return events;
}

describe('cancelRun', () => {
  it('cancels a run by the `run` of its events, once, with the reason', () => {
    const events = aHangingRun();
    const { run } = events[0]!;
    expect(isCancellable(run)).to.equal(true);
    cancelRun(run, 'it took too long');
    cancelRun(run, 'again');
    const ended = events.flatMap((event) => (event.type === 'postCall' ? [event] : []));
    expect(ended.map(({ outcome, reason }) => [outcome, reason])).to.deep.equal([['cancelled', 'it took too long']]);
  });

  it('cancels no other run, and none by a copy of its `run`', () => {
    const [first, second] = [aHangingRun(), aHangingRun()];
    const copy = structuredClone(first[0]!.run);
    expect(isCancellable(copy)).to.equal(false);
    cancelRun(copy, 'a copy');
    cancelRun(second[0]!.run, 'the other one');
    expect(first.map(({ type }) => type)).not.to.include('postCall');
    expect(second.at(-1)?.type).to.equal('postCall');
  });

  it('keeps a run cancellable as long as it is active, and no longer in memory', async () => {
    const events = aHangingRun();
    const { run } = events[0]!;
    let ended: { cancel(): void } | undefined = { cancel: () => {} };
    const info = { ...run, runId: 'ended' } satisfies RunInfo;
    keepCancellable(info, ended);
    ended = undefined;
    for (let round = 0; round < 5; round++) {
      await sleep(5);
      collect();
    }
    expect(isCancellable(info)).to.equal(false);
    expect(() => cancelRun(info, 'too late')).not.to.throw();
    expect(isCancellable(run)).to.equal(true);
    cancelRun(run, 'in time');
    expect(events.at(-1)?.type).to.equal('postCall');
  });
});
