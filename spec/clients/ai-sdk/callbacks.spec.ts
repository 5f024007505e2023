import { expect } from 'chai';
import { collected } from '../within-reach.ts';
import { modelOf, settled, versions } from './scene.ts';

for (const { name, version, hookedBy } of versions)
  describe(`a user callback that throws in ${name}`, () => {
    for (const callback of ['onStepFinish', 'onFinish'])
      it(`still ends with one postCall: ${callback}`, async () => {
        const { sdk, recorded } = hookedBy();
        const broken = (): never => {
          throw new Error('broken');
        };
        const model = modelOf(version, [{ type: 'text', text: 'Fine.' }]);
        const result = sdk.streamText({ model, prompt: 'Go!', [callback]: broken, onError: () => {} });
        const told = ['text', 'steps', 'finishReason'].map((one) => settled(result[one]));
        // Version 5 leaves some of its promises pending.
        await Promise.race([
          Promise.all([settled(collected(result.fullStream)), ...told]),
          new Promise((resolve) => setTimeout(resolve, 100)),
        ]);
        expect(recorded.of('postCall')).to.have.length(1);
      });
  });
