import { expect } from 'chai';
import { abort } from '../../../lib/index.ts';
import { call, type Result, read, scene } from './scene.ts';

const two = [{ calls: [call('c1', 'look'), call('c2', 'wait')] }, { chunks: ['Done.'] }];
const onLook = {
  name: 'onLook',
  on: {
    postActing: (event: { toolCall: { name: string } }) =>
      event.toolCall.name === 'look' ? abort(event as never, 'enough') : undefined,
  },
} as never;

/** The text of a Node stream and its error. */
async function readNode(result: Result): Promise<{ text: string; error?: unknown }> {
  const chunks: Uint8Array[] = [];
  const text = (): string => Buffer.concat(chunks).toString();
  try {
    for await (const chunk of result.toTextStream({ compatibleWithNodeStreams: true })) chunks.push(chunk);
  } catch (error) {
    return { text: text(), error };
  }
  return { text: text() };
}

describe('aborts in OpenAI Agents', () => {
  for (const stream of [false, true])
    it(`end concurrent calls (${stream ? 'streamed' : 'whole'})`, async () => {
      const { run, agent, tool, recorded, model } = scene(two, [onLook]);
      let aborted: unknown;
      const waits = tool('wait', undefined, {
        execute: (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted = signal.reason;
              reject(signal.reason);
            });
          }),
      });
      const one = agent('one', { tools: [tool('look'), waits] });
      const error = await run(one, 'Go!', { stream }).then(
        async (result) => {
          const { error: thrown } = await read(result);
          const completed = await result.completed.catch((reason: unknown) => reason);
          expect(completed).to.equal(thrown);
          return thrown;
        },
        (thrown) => thrown,
      );
      expect(error).to.include({ code: 'RUN_ABORTED' });
      expect(error.decision).to.include({ by: 'onLook', reason: 'enough' });
      expect(aborted).not.to.equal(undefined);
      expect(model.requests).to.have.length(1);
      const outcomes = recorded.of('postActing').map(({ toolCall, outcome }) => `${toolCall.name} ${outcome}`);
      expect(outcomes.sort()).to.deep.equal(['look executed', 'wait cancelled']);
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['aborted']);
    });

  it("are distinct from a cancellation by the user's signal", async () => {
    const controller = new AbortController();
    const { run, agent, tool, recorded } = scene(two);
    const one = agent('one', { tools: [tool('look', () => controller.abort()), tool('wait')] });
    const error = await run(one, 'Go!', { signal: controller.signal }).catch((thrown) => thrown);
    expect(error).not.to.include({ code: 'RUN_ABORTED' });
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });

  for (const stream of [false, true])
    it(`are distinct from a model failure, which keeps its error (${stream ? 'streamed' : 'whole'})`, async () => {
      const failure = new Error('no quota');
      const { run, agent, recorded } = scene([{ error: failure }]);
      const error = await run(agent('one'), 'Go!', { stream }).then(
        async (result) => (await read(result)).error,
        (thrown) => thrown,
      );
      expect(error).to.equal(failure);
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
    });

  it('end a text-only stream with the same error', async () => {
    const { run, agent, tool } = scene(two, [onLook]);
    const result = await run(agent('one', { tools: [tool('look'), tool('wait')] }), 'Go!', { stream: true });
    const error = await result
      .toTextStream()
      .pipeTo(new WritableStream())
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'RUN_ABORTED' });
  });

  for (const at of ['preActing', 'postActing'])
    it(`at ${at} end a Node stream with the same error, which is also on the result`, async () => {
      const ends = { name: 'ends', on: { [at]: (event: never) => abort(event, 'enough') } } as never;
      const turns = [{ chunks: ['Löo', 'king.'], calls: [call('c1', 'look')] }, { chunks: ['Done.'] }];
      const { run, agent, tool } = scene(turns, [ends]);
      const result = await run(agent('one', { tools: [tool('look')] }), 'Go!', { stream: true });
      expect(result.error).to.equal(null);
      const { text, error } = await readNode(result);
      expect(text).to.equal('Löoking.');
      expect(error).to.include({ code: 'RUN_ABORTED' });
      expect(result.error).to.equal(error);
    });

  it('leave Node streams alone without an abort, and an abandoned one ends the run', async () => {
    const { run, agent } = scene([{ chunks: ['Do', 'ne.'] }]);
    const result = await run(agent('one'), 'Go!', { stream: true });
    expect([await readNode(result), result.error]).to.deep.equal([{ text: 'Done.' }, null]);
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const other = scene([{ chunks: ['I look.'], calls: [call('c1', 'look')] }, { chunks: ['Done.'] }]);
    const looks = other.tool('look', () => left);
    const unread = await other.run(other.agent('one', { tools: [looks] }), 'Go!', { stream: true });
    for await (const _ of unread.toTextStream({ compatibleWithNodeStreams: true })) break;
    leave();
    await unread.completed;
    expect(other.recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });

  it('include a tool failure that its author makes fatal', async () => {
    const failure = new Error('no disk');
    const { run, agent, tool, recorded } = scene(two);
    const looks = tool('look', () => Promise.reject(failure), { errorFunction: null });
    const error = await run(agent('one', { tools: [looks, tool('wait')] }), 'Go!').catch((thrown) => thrown);
    expect(error.error).to.equal(failure);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });
});
