import { loopContract } from '../../../lib/testing/index.ts';
import { openaiAgentsHost } from './openai-agents-host.ts';

describe(`hooks on ${openaiAgentsHost.name}`, () => {
  for (const { title, cannot, check } of loopContract(openaiAgentsHost)) {
    if (cannot === undefined) it(title, check);
    else it(`${title}: not supported, because ${cannot}`);
  }
});
