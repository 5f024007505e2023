import { expect } from 'chai';
import { isOverflow } from '../../../lib/hooks/auto-context/is-overflow.ts';

describe('isOverflow', () => {
  for (const message of [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    'prompt is too long: 210000 tokens > 200000 maximum',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'context_length_exceeded',
    'Input is too long for requested model.',
    'the request exceeds the available context size, try increasing it',
    'Please reduce the length of the messages: too many input tokens',
  ])
    it(`matches: ${message}`, () => expect(isOverflow(message)).to.equal(true));

  for (const message of [
    'Rate limit reached for gpt-x on tokens per min (TPM): Limit 30000, Used 29000.',
    'Request too large for model on tokens per minute',
    'You exceeded your current quota, please check your plan',
    'overloaded',
    'max_tokens must be at least 1',
    'Invalid API key',
  ])
    it(`does not match: ${message}`, () => expect(isOverflow(message)).to.equal(false));
});
