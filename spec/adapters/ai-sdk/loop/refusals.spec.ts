import * as ai from 'ai';
import { expect } from 'chai';
import { withHooks } from '../../../../lib/adapters/ai-sdk/index.ts';
import { createPipeline } from '../../../../lib/index.ts';
import { modelOf } from './scene.ts';

describe('withHooks of the AI SDK refuses', () => {
  const pipeline = createPipeline([]);
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    ['what is not the module', () => withHooks({} as never, pipeline, { agent: 'x' }), 'it has no generateText'],
    ['an option that there is not', () => withHooks(ai, pipeline, { agent: 'x', bufer: true } as never), '"bufer"'],
    [
      'an option of a call that there is not',
      () =>
        withHooks(ai, pipeline, { agent: 'x' }).streamText({
          model: modelOf(),
          prompt: '',
          hookline: { user: 'a' },
        } as never),
      '"user"',
    ],
    [
      'a model that is given as text',
      () => withHooks(ai, pipeline, { agent: 'x' }).streamText({ model: 'openai/gpt-5', prompt: '' }),
      'openai/gpt-5',
    ],
  ];
  for (const [what, work, said] of cases) {
    it(what, () => {
      expect(work).to.throw(said).with.property('code', 'INPUT_INVALID');
    });
  }
});
