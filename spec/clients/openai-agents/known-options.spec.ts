import { knownOptions } from '../../../lib/adapters/openai-agents/known-options.ts';
import { expectKnown } from '../expect-known.ts';
import { fieldsOf } from '../members-of.ts';

describe('the known options of OpenAI Agents', () => {
  it('include exactly those that can be or contain functions', () => {
    const members = fieldsOf('@openai/agents-core', {
      'a run': "NonNullable<Parameters<host.Runner['run']>[2]>",
      'a runner': 'NonNullable<ConstructorParameters<typeof host.Runner>[0]>',
    });
    expectKnown(knownOptions, members);
  });
});
