import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { type Any, modelOf, settled, streamOf, versions } from './scene.ts';

const never = ({ abortSignal }: { readonly abortSignal?: AbortSignal }): Promise<never> =>
  new Promise((_, reject) => abortSignal?.addEventListener('abort', () => reject(abortSignal.reason)));
const deaf = (): Promise<never> => new Promise(() => {});
const half = ({ abortSignal }: { readonly abortSignal?: AbortSignal }) => ({
  stream: new ReadableStream({
    async start(to) {
      for await (const part of streamOf([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'hal' },
      ]) as Any)
        to.enqueue(part);
      abortSignal?.addEventListener('abort', () => to.error(abortSignal.reason));
    },
  }),
});

/** The types of the parts of a stream, its end and its text. */
async function told(sdk: Any, options: object): Promise<readonly unknown[]> {
  const types: string[] = [];
  const result = sdk.streamText({ prompt: 'go', onError: () => {}, ...options });
  const end = await settled(
    (async () => {
      for await (const { type } of result.fullStream) types.push(type);
    })(),
  );
  // Version 5 may leave it pending.
  const text = await Promise.race([settled(result.text), setTimeout(200, 'open')]);
  return [...types, String(end), String(text)];
}

for (const { name, version, bare, hookedBy } of versions) {
  describe(`a request that ${name} cuts off`, () => {
    const outcomes = (recorded: Any) => recorded.of('postCall').map(({ outcome }: Any) => outcome);

    it('rejects with the reason of the caller’s signal', async () => {
      for (const model of [never, deaf]) {
        const { sdk, recorded } = hookedBy();
        const stop = new AbortController();
        const reason = new RangeError('enough');
        setTimeout(20).then(() => stop.abort(reason));
        const options = { model: modelOf(version, model), prompt: 'go', abortSignal: stop.signal };
        expect(await settled(sdk.generateText(options))).to.equal(reason);
        expect(outcomes(recorded)).to.deep.equal(['cancelled']);
      }
    });

    it('asks no model if the caller’s signal aborted before the start', async () => {
      const { sdk } = hookedBy();
      const model = modelOf(version, never);
      const reason = new RangeError('enough');
      const options = { model, prompt: 'go', abortSignal: AbortSignal.abort(reason) };
      expect([await settled(sdk.generateText(options)), model.asked]).to.deep.equal([reason, []]);
    });

    it('ends a stream as without hooks', async () => {
      for (const reason of [undefined, new RangeError('enough')]) {
        const cut = () => {
          const stop = new AbortController();
          setTimeout(20).then(() => stop.abort(reason));
          return { model: modelOf(version, half), abortSignal: stop.signal };
        };
        const { sdk, recorded } = hookedBy();
        expect(await told(sdk, cut())).to.deep.equal(await told(bare, cut()));
        expect(outcomes(recorded)).to.deep.equal(['cancelled']);
      }
    });

    if (version === 5) return;
    for (const timeout of [50, { stepMs: 50 }, { totalMs: 50 }])
      it(`ends the model, the call and the run at the timeout ${JSON.stringify(timeout)}`, async () => {
        const { sdk, recorded } = hookedBy();
        const error = (await settled(
          sdk.generateText({ model: modelOf(version, deaf), prompt: 'go', timeout }),
        )) as Error;
        expect(error.name).to.equal('TimeoutError');
        const whole = modelOf(version, half);
        const streamed = await told(sdk, { model: whole, timeout });
        expect(streamed).to.deep.equal(await told(bare, { model: modelOf(version, half), timeout }));
        expect(outcomes(recorded)).to.deep.equal(['cancelled', 'cancelled']);
        expect(whole.asked[0].abortSignal.aborted).to.equal(true);
        expect(
          recorded
            .of('postCall')
            .map(({ reason }) => reason)
            .join(),
        ).to.match(/time-?out/i);
      });

    it('ends the stream and the run at a chunk timeout', async () => {
      const { sdk, recorded } = hookedBy();
      const timeout = { chunkMs: 50 };
      const streamed = await told(sdk, { model: modelOf(version, half), timeout });
      expect(streamed).to.deep.equal(await told(bare, { model: modelOf(version, half), timeout }));
      expect(outcomes(recorded)).to.deep.equal(['cancelled']);
    });

    it('ends the hook at a timeout during the hook', async () => {
      const slow = { name: 'slow', on: { preReasoning: () => new Promise<undefined>(() => {}) } };
      const { sdk, recorded } = hookedBy(slow);
      const error = (await settled(sdk.generateText({ model: modelOf(version), prompt: 'go', timeout: 50 }))) as Error;
      expect([error.name, outcomes(recorded)]).to.deep.equal(['TimeoutError', ['cancelled']]);
    });
  });
}
