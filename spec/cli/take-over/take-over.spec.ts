import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { servers, until } from '../served.ts';
import { continued, crashSite, eventsOf } from './crashing-server.ts';

describe('hookline serve --take-over, with runs in files', function () {
  this.timeout(60_000);
  const { serve } = servers();

  /** Starts server A with a run. `restart` starts servers with the same state after A. */
  async function serving(calls: readonly object[], flags: readonly string[] = ['--take-over']) {
    const site = crashSite(calls);
    const a = await serve(site.at, undefined, ...site.flags('a'), ...flags);
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'go', sessionId: 's1' });
    const restart = (...more: readonly string[]) => serve(site.at, a.token, ...site.flags('b'), ...more);
    return { ...site, a, restart, runId: json.runId as string };
  }

  it('goes on between two steps after a restart, and screens follow', async () => {
    const { a, restart, runId, ran, betweenSteps } = await serving([{ name: 'once', input: {} }]);
    await betweenSteps();
    await sleep(300);
    a.child.kill('SIGKILL');
    const b = await restart('--take-over');
    const after = await continued(b, runId);
    expect(after.outcome).to.equal('completed');
    expect(ran()).to.have.length(1);
    expect(await eventsOf(b, runId))
      .to.include('event: resumed')
      .and.include(after.runId);
    const { json } = await b.ask('GET', '/api/sessions/s1');
    expect(JSON.stringify(json)).to.include('done by B').and.not.include('done by A');
  });

  it('cancels a call that had begun, runs those that had not, and repeats an idempotent one', async () => {
    const calls = [
      { name: 'again', input: { slow: 60_000 } },
      { name: 'once', input: { slow: 60_000 } },
      { name: 'once', input: {} },
    ];
    for (const [begun, ...later] of [calls, calls.slice(1)]) {
      const { a, restart, runId, ran } = await serving([begun!, ...later.slice(-1)]);
      await until(async () => ran().length > 0 || undefined);
      a.child.kill('SIGKILL');
      const b = await restart('--take-over');
      const after = await continued(b, runId);
      expect(after.outcome).to.equal('completed');
      const text = await eventsOf(b, after.runId);
      const [first, second, ...more] = ran();
      if (begun!.name === 'again') {
        expect(text).not.to.include('"outcome":"cancelled"');
        expect([second, more.length]).to.deep.equal([first, 1]);
      } else {
        expect(text).to.include('"outcome":"cancelled"').and.include('its effect is unknown');
        expect(more).to.deep.equal([]);
        expect(second).not.to.equal(first);
      }
      b.child.kill('SIGKILL');
    }
  });

  it('continues a run once, whatever number of servers share the state', async () => {
    const { at, flags, a, restart, runId, ran } = await serving([{ name: 'again', input: { slow: 60_000 } }]);
    await until(async () => ran().length > 0 || undefined);
    const others = [await restart('--take-over'), await restart('--take-over')];
    a.child.kill('SIGKILL');
    others.push(await serve(at, a.token, ...flags('b'), '--take-over'));
    await continued(others[0]!, runId);
    await sleep(2_500);
    expect(ran()).to.have.length(2);
    for (const { ask } of others) {
      const { runs } = (await ask('GET', '/api/runs')).json;
      expect(runs.map(({ parts }: { parts: object }) => parts)).to.have.length(1);
      expect(runs[0].parts).to.have.length(2);
      expect(runs[0].outcome).to.equal('completed');
    }
  });

  it('shows a lost run as failed without the option', async () => {
    const { a, restart, runId, ran } = await serving([{ name: 'again', input: { slow: 60_000 } }], []);
    await until(async () => ran().length > 0 || undefined);
    // Without the option, events are stored while the call runs.
    await sleep(500);
    a.child.kill('SIGKILL');
    const { ask } = await restart();
    await sleep(1_500);
    const { json } = await ask('GET', `/api/runs/${runId}`);
    expect(json).to.include({ state: 'ended', outcome: 'failed' }).and.not.have.property('resumedBy');
    expect(ran()).to.have.length(1);
  });
});
