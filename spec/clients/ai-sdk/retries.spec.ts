import { expect } from 'chai';
import { abort, type EventOf } from '../../../lib/index.ts';
import { type Any, modelOf, type Says, settled, versions } from './scene.ts';

const done: Says = [{ type: 'text', text: 'Done.' }];

for (const { name, version, bare, hookedBy } of versions) {
  describe(`retries configured for ${name}`, () => {
    const overloaded: Says = () => {
      const responseHeaders = { 'retry-after-ms': '1' };
      throw new bare.APICallError({
        message: 'overloaded',
        url: '',
        requestBodyValues: {},
        isRetryable: true,
        responseHeaders,
      });
    };
    const whole = async (sdk: Any, options: object) => (await sdk.generateText({ prompt: 'go', ...options })).text;
    const streamed = async (sdk: Any, options: object) => {
      const result = sdk.streamText({ prompt: 'go', onError: () => {}, ...options });
      await result.consumeStream();
      return result.text;
    };

    for (const run of [whole, streamed]) {
      it(`repeat the model request, with hooks on each attempt: ${run.name}`, async () => {
        const { sdk, recorded } = hookedBy();
        const model = modelOf(version, overloaded, overloaded, done);
        expect(await run(sdk, { model, maxRetries: 2 })).to.equal('Done.');
        expect([model.asked.length, recorded.of('preReasoning').length, recorded.of('error').length]).to.deep.equal([
          3, 3, 2,
        ]);
        expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
      });

      it(`fail as without hooks when used up, and end the run once: ${run.name}`, async () => {
        const { sdk, recorded } = hookedBy();
        const answers = [overloaded, overloaded, done];
        const [plain, hooked] = [modelOf(version, ...answers), modelOf(version, ...answers)];
        const wanted = (await settled(run(bare, { model: plain, maxRetries: 1 }))) as Error;
        const error = (await settled(run(sdk, { model: hooked, maxRetries: 1 }))) as Error;
        expect([error.name, error.message]).to.deep.equal([wanted.name, wanted.message]);
        expect([hooked.asked.length, recorded.of('error').length]).to.deep.equal([2, 2]);
        expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
      });

      it(`end with a hook that aborts: ${run.name}`, async () => {
        const preReasoning = (event: EventOf<'preReasoning'>) =>
          event.iteration === 2 ? abort(event, 'enough') : undefined;
        const { sdk, recorded } = hookedBy({ name: 'stop', on: { preReasoning } });
        const model = modelOf(version, overloaded, done);
        await settled(run(sdk, { model, maxRetries: 3 }));
        expect([model.asked.length, recorded.of('preReasoning').length]).to.deep.equal([1, 2]);
        expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['aborted']);
      });
    }
  });
}
