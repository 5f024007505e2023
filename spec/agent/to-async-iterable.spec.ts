import { expect } from 'chai';
import { concat, NEVER, Observable, of, Subject, throwError } from 'rxjs';
import { defineHook, toAsyncIterable } from '../../lib/index.ts';
import { recorder, scriptedTool } from '../../lib/testing/index.ts';
import { stage } from '../acceptance/scene.ts';

async function take<T>(source$: Observable<T>, count = Number.POSITIVE_INFINITY): Promise<T[]> {
  const taken: T[] = [];
  for await (const value of toAsyncIterable(source$)) {
    taken.push(value);
    if (taken.length >= count) break;
  }
  return taken;
}

describe('toAsyncIterable', () => {
  it('yields every event of a run in order and ends with it', async () => {
    const { agent, run } = stage({ turns: ['ok', 'ok'] });
    const types = (await take(agent.run('go'))).map(({ type }) => type);
    expect(types).to.deep.equal(run().events.map(({ type }) => type));
  });

  it('does not start before the iteration', async () => {
    let subscribed = 0;
    const iterable = toAsyncIterable(
      new Observable<number>((subscriber) => {
        subscribed += 1;
        subscriber.complete();
      }),
    );
    await Promise.resolve();
    expect(subscribed).to.equal(0);
    for await (const _ of iterable);
    expect(subscribed).to.equal(1);
  });

  it('cancels the run when the loop exits', async () => {
    const seen = recorder();
    const tool = scriptedTool({ name: 'look', never: true });
    const { agent } = stage({ turns: [{ toolCalls: [{ name: 'look', input: {} }] }], tools: [tool], hooks: [seen] });
    await take(agent.run('go'), 1);
    expect(seen.lines('postCall')).to.deep.equal(['postCall cancelled']);
    expect(tool.calls.map(({ state }) => state)).to.deep.equal(['cancelled']);
  });

  it('cancels the run when the loop throws', async () => {
    const seen = recorder();
    const { agent } = stage({
      turns: ['ok'],
      hooks: [seen, defineHook({ name: 'slow', on: { preReasoning: () => NEVER } })],
    });
    const loop = async () => {
      for await (const _ of toAsyncIterable(agent.run('go'))) throw new Error('enough');
    };
    expect((await loop().catch((thrown) => thrown)).message).to.equal('enough');
    expect(seen.lines('postCall')).to.deep.equal(['postCall cancelled']);
  });

  it('loses no values that arrive while the loop is busy', async () => {
    const source$ = new Subject<number>();
    const taken: number[] = [];
    const loop = (async () => {
      for await (const value of toAsyncIterable(source$)) {
        taken.push(value);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    for (let n = 0; n < 5; n++) {
      source$.next(n);
      await Promise.resolve();
    }
    source$.complete();
    await loop;
    expect(taken).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('throws the error of the stream after the earlier values', async () => {
    const taken: number[] = [];
    const loop = async () => {
      for await (const value of toAsyncIterable(
        concat(
          of(1, 2),
          throwError(() => new Error('cut')),
        ),
      ))
        taken.push(value);
    };
    expect((await loop().catch((thrown) => thrown)).message).to.equal('cut');
    expect(taken).to.deep.equal([1, 2]);
  });

  it('accepts a hundred thousand values at once', async () => {
    const many$ = new Observable<number>((subscriber) => {
      for (let n = 0; n < 100_000; n++) subscriber.next(n);
      subscriber.complete();
    });
    expect(await take(many$)).to.have.length(100_000);
  });

  it('return() cancels at once while a next() waits, and both resolve', async () => {
    let cancelled = false;
    const iterator = toAsyncIterable(
      new Observable<number>(() => () => {
        cancelled = true;
      }),
    );
    const next = iterator.next();
    const raced = await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 5, 'late'))]);
    expect(raced).to.equal('late');
    const returned = iterator.return();
    expect(cancelled).to.equal(true);
    expect(await returned).to.deep.equal({ done: true, value: undefined });
    expect(await next).to.deep.equal({ done: true, value: undefined });
    expect(await iterator.next()).to.deep.equal({ done: true, value: undefined });
  });

  it('return() before the first next() never subscribes', async () => {
    let subscribed = false;
    const iterator = toAsyncIterable(
      new Observable<number>(() => {
        subscribed = true;
      }),
    );
    await iterator.return();
    expect(await iterator.next()).to.deep.equal({ done: true, value: undefined });
    expect(subscribed).to.equal(false);
  });

  it('answers several next() in order and rejects once', async () => {
    const source$ = new Subject<number>();
    const iterator = toAsyncIterable(source$);
    const asked = [1, 2, 3, 4].map(() => iterator.next().catch((thrown) => thrown.message));
    source$.next(1);
    source$.next(2);
    source$.error(new Error('cut'));
    expect(await Promise.all(asked)).to.deep.equal([
      { done: false, value: 1 },
      { done: false, value: 2 },
      'cut',
      { done: true, value: undefined },
    ]);
  });

  it('throw() cancels and rejects with its argument', async () => {
    const source$ = new Subject<number>();
    const iterator = toAsyncIterable(source$);
    void iterator.next();
    const told = await iterator.throw(new Error('enough')).catch((thrown) => thrown.message);
    expect(told).to.equal('enough');
    expect(source$.observed).to.equal(false);
  });
});
