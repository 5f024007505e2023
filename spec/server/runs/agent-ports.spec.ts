import { expect } from 'chai';
import { createAgent } from 'hookline';
import { createHookConfigs, createLiveHooks } from 'hookline/config';
import { agentPorts } from 'hookline/server';
import { scriptedModel, scriptedTool } from 'hookline/testing';
import { lastValueFrom, NEVER, toArray } from 'rxjs';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { written } from '../../config/read.ts';

describe('an agent behind the API', () => {
  /** Returns the number of requests to a model that never stops calling, and the outcome of the run. */
  async function iterations(
    agent: object,
    wanted?: number,
    recovers = false,
  ): Promise<readonly [asked: number, outcome: unknown]> {
    const live = await createLiveHooks({ files: [written({ 'base.json': { hooks: {}, ...agent } })('base.json')] });
    const look = scriptedTool({ name: 'look', result: 'nothing' });
    const steps = Array.from({ length: 20 }, () => ({ toolCalls: [{ name: 'look', input: {} }] }));
    const ports = agentPorts(createHookConfigs(live, memoryStore()), ({ pipeline, config }) => {
      const { maxIterations = 10 } = config.settings.agent ?? {};
      return createAgent({ name: 'a', model: scriptedModel(steps), tools: [look], pipeline, maxIterations });
    });
    const wish = {
      user: 'alice',
      prompt: 'look',
      sessionId: 's',
      ...(wanted !== undefined && { maxIterations: wanted }),
    };
    const { signal } = new AbortController();
    let events = await lastValueFrom(ports.start(wish, signal, NEVER, []).pipe(toArray()));
    if (recovers) {
      // It was cut off before its first model step.
      const { user, prompt: _, ...rest } = wish;
      const run = { ...rest, journal: events.slice(0, 1), writeAhead: true, owner: { user }, takeOvers: 1 };
      events = await lastValueFrom(ports.recover!(run, signal, NEVER, []).pipe(toArray()));
    }
    await live.close();
    const asked = events.filter((event) => event.type === 'preReasoning' && event.purpose === 'step');
    const post = events.at(-1);
    return [asked.length, post?.type === 'postCall' && post.outcome];
  }

  it('has as many model steps as the request allows, up to the limit of the files', async () => {
    const bounded = { agent: { maxIterations: 3 } };
    expect(await iterations(bounded, 12)).to.deep.equal([3, 'exhausted']);
    expect(await iterations(bounded, 2)).to.deep.equal([2, 'exhausted']);
    expect(await iterations(bounded)).to.deep.equal([3, 'exhausted']);
    expect(await iterations({}, 12)).to.deep.equal([12, 'exhausted']);
  });

  it('keeps that limit when it takes over a run', async () => {
    const bounded = { agent: { maxIterations: 3 } };
    expect(await iterations(bounded, 12, true)).to.deep.equal([3, 'exhausted']);
    expect(await iterations(bounded, 2, true)).to.deep.equal([2, 'exhausted']);
    expect(await iterations({}, 12, true)).to.deep.equal([12, 'exhausted']);
  });
});
