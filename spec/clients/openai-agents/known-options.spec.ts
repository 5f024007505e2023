import { knownOptions } from '../../../lib/adapters/openai-agents/known-options.ts';
import { expectKnown } from '../expect-known.ts';
import { fieldsOf } from '../members-of.ts';

describe('the options of OpenAI Agents that are known', () => {
  it('are all that can be functions, or hold some, and no others', () => {
    const members = fieldsOf('@openai/agents-core', {
      'a run': "NonNullable<Parameters<host.Runner['run']>[2]>",
      'a runner': 'NonNullable<ConstructorParameters<typeof host.Runner>[0]>',
    });
    expectKnown(knownOptions, members);
  });
});
