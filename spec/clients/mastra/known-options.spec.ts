import { knownOptions } from '../../../lib/adapters/mastra/known-options.ts';
import { expectKnown } from '../expect-known.ts';
import { fieldsOf } from '../members-of.ts';

describe('the known options of Mastra', () => {
  it('include exactly those that can be or contain functions', () => {
    const members = fieldsOf('@mastra/core/agent', {
      'a call': "host.AgentExecutionOptions<any> | NonNullable<Parameters<host.Agent['resumeStream']>[1]>",
    });
    expectKnown(knownOptions, members);
  });
});
