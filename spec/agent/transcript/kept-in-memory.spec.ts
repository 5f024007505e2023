import { expect } from 'chai';
import { EMPTY, lastValueFrom, NEVER } from 'rxjs';
import { createAgent, createPipeline, defineHook, memoryTranscript } from '../../../lib/index.ts';
import { scriptedModel } from '../../../lib/testing/index.ts';
import { eventsOf } from '../failures/misbehaving.ts';

describe('many runs', () => {
  it('on one AbortSignal share one listener, which the last of them removes', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    let most = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      most = Math.max(most, listeners);
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    const model = scriptedModel(Array(40).fill('ok'), { delayMs: 1 });
    const agent = createAgent({ name: 'a', model });
    await Promise.all(Array.from({ length: 40 }, () => lastValueFrom(agent.run('hi', { signal }))));
    expect({ most, listeners }).to.deep.equal({ most: 1, listeners: 0 });
    await lastValueFrom(createAgent({ name: 'a', model: () => EMPTY }).run('hi', { signal }));
    expect({ most, listeners }).to.deep.equal({ most: 1, listeners: 0 });
  });

  it('on one AbortSignal are all cancelled by it', async () => {
    const controller = new AbortController();
    const agent = createAgent({ name: 'a', model: () => NEVER });
    const runs = Array.from({ length: 20 }, () => eventsOf(agent.run('hi', { signal: controller.signal })));
    controller.abort('enough');
    for (const events of await Promise.all(runs))
      expect(events.at(-1)).to.include({ outcome: 'cancelled', reason: 'enough' });
  });

  it('without a session leave nothing in memory', async () => {
    const seen: WeakRef<object>[] = [];
    const watch = defineHook({
      name: 'watch',
      observe(event) {
        if (event.type === 'postReasoning') seen.push(new WeakRef(event.message));
      },
    });
    const agent = createAgent({
      name: 'a',
      model: scriptedModel(Array(50).fill('hello')),
      pipeline: createPipeline([watch]),
    });
    for (let n = 0; n < 50; n++) await agent.call('hi');
    if (!globalThis.gc) {
      const v8 = await import('node:v8');
      const vm = await import('node:vm');
      v8.setFlagsFromString('--expose-gc');
      globalThis.gc = vm.runInNewContext('gc');
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    globalThis.gc?.();
    const alive = seen.filter((ref) => ref.deref() !== undefined);
    expect(seen).to.have.length(50);
    expect(alive.length).to.be.lessThan(5);
  });

  it('of a named session or in a store of the host are kept', async () => {
    const agent = createAgent({ name: 'a', model: scriptedModel(['one', 'two']) });
    await agent.call('first', { sessionId: 's' });
    const requests: number[] = [];
    const counting = createAgent({
      name: 'a',
      model: (request) => {
        requests.push(request.messages.length);
        return EMPTY;
      },
    });
    await counting.call('first', { sessionId: 's' });
    await counting.call('second', { sessionId: 's' });
    expect(requests).to.deep.equal([1, 3]);
    const transcript = memoryTranscript();
    const post = await createAgent({ name: 'a', model: scriptedModel(['one']), transcript }).call('hi');
    expect(await transcript.load(post.run.sessionId)).to.have.length(2);
  });
});
