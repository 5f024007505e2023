import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../cli/served.ts';
import { continued, crashSite, eventsOf } from '../cli/take-over/crashing-server.ts';
import { servedFleet } from './served-fleet.ts';

describe('hookline serve --backplane --take-over', function () {
  this.timeout(60_000);
  const fleetServers = servedFleet();

  /** Two servers. The model of A calls the tools, and the model of B replies. */
  async function fleet(...calls: readonly object[]) {
    const site = crashSite(calls);
    const { at } = site;
    const serve = (name: 'a' | 'b') => fleetServers.serve(at, name, '--take-over', ...site.flags(name));
    const a = await serve('a');
    const b = await serve('b');
    const { json } = await a.ask('POST', '/api/runs', { prompt: 'go', sessionId: 's1' });
    return { ...site, a, b, runId: json.runId as string };
  }

  it('goes on between two steps, and screens follow', async () => {
    const { a, b, runId, ran, betweenSteps } = await fleet({ name: 'once', input: {} });
    await betweenSteps();
    await sleep(300);
    a.child.kill('SIGKILL');
    const after = await continued(b, runId);
    expect(after.outcome).to.equal('completed');
    expect(ran()).to.have.length(1);
    expect(await eventsOf(b, runId))
      .to.include('event: resumed')
      .and.include(after.runId);
    const { json } = await b.ask('GET', '/api/sessions/s1');
    expect(JSON.stringify(json)).to.include('done by B').and.not.include('done by A');
  });

  it('cancels a call that had begun, and runs those that had not', async () => {
    const { a, b, runId, ran } = await fleet({ name: 'once', input: { slow: 60_000 } }, { name: 'once', input: {} });
    await until(async () => ran().length > 0 || undefined);
    a.child.kill('SIGKILL');
    const after = await continued(b, runId);
    expect(after.outcome).to.equal('completed');
    expect(ran()).to.have.length(2);
    const text = await eventsOf(b, after.runId);
    expect(text)
      .to.include('"outcome":"cancelled"')
      .and.include('its effect is unknown')
      .and.include('"outcome":"executed"');
  });

  it('runs an idempotent call again with the same id', async () => {
    const { a, b, runId, ran } = await fleet({ name: 'again', input: { slow: 60_000 } });
    await until(async () => ran().length > 0 || undefined);
    a.child.kill('SIGKILL');
    expect((await continued(b, runId)).outcome).to.equal('completed');
    const [first, second, ...more] = ran();
    expect([second, more]).to.deep.equal([first, []]);
  });

  it('keeps a paused run paused', async () => {
    const { a, b, runId, ran } = await fleet({ name: 'again', input: { slow: 60_000 } }, { name: 'once', input: {} });
    await until(async () => ran().length > 0 || undefined);
    expect((await b.ask('POST', `/api/runs/${runId}/pause`)).json).to.include({ paused: true });
    a.child.kill('SIGKILL');
    const { resumedBy, paused } = await until(async () => {
      const { json } = await b.ask('GET', `/api/runs/${runId}`);
      return json.resumedBy === undefined ? undefined : json;
    });
    expect(paused).to.equal(undefined);
    expect((await b.ask('GET', `/api/runs/${resumedBy}`)).json).to.include({ state: 'running', paused: true });
    expect(ran()).to.have.length(1);
    await b.ask('POST', `/api/runs/${resumedBy}/continue`);
    expect((await continued(b, runId)).outcome).to.equal('completed');
    expect(ran()).to.have.length(3);
  });
});
