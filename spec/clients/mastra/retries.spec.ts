import { expect } from 'chai';
import { rejection } from '../../tools/rejection.ts';
import { scene } from './scene.ts';

const overloaded = { error: Object.assign(new Error('overloaded'), { isRetryable: true }) };
const turns = [overloaded, { chunks: ['Done.'] }];

describe('a Mastra retry', () => {
  it('repeats the model request if the caller enables it, with hooks on each attempt', async () => {
    const { agent, model, recorded } = scene({ turns });
    expect((await agent.generate('Go!', { modelSettings: { maxRetries: 1 } })).text).to.equal('Done.');
    expect([model.prompts.length, recorded.of('preReasoning').length]).to.deep.equal([2, 2]);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
  });

  it('is off by default', async () => {
    const { agent, model, recorded } = scene({ turns });
    expect((await rejection(agent.generate('Go!'))).message).to.contain('overloaded');
    expect(model.prompts).to.have.length(1);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });
});
