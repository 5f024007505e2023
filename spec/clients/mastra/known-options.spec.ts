import { knownOptions } from '../../../lib/adapters/ai-sdk/mastra/known-options.ts';
import { expectKnown } from '../expect-known.ts';
import { fieldsOf } from '../members-of.ts';

describe('the options of Mastra that are known', () => {
  it('are all that can be functions, or hold some, and no others', () => {
    const members = fieldsOf('@mastra/core/agent', {
      'a call': "host.AgentExecutionOptions<any> | NonNullable<Parameters<host.Agent['resumeStream']>[1]>",
    });
    expectKnown(knownOptions, members);
  });
});
