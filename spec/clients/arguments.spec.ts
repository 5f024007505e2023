import { Runner } from '@openai/agents-core';
import * as strands from '@strands-agents/sdk';
import * as ai from 'ai7';
import { expect } from 'chai';
import { withHooks } from '../../lib/adapters/ai-sdk/index.ts';
import { hookline as hooklineOfLangChain } from '../../lib/adapters/langchain/index.ts';
import { hookedMastra } from '../../lib/adapters/mastra/index.ts';
import { withHooks as withHooksOfOpenAi } from '../../lib/adapters/openai-agents/index.ts';
import { hookline as hooklineOfStrands } from '../../lib/adapters/strands/index.ts';
import { createPipeline, defineHook } from '../../lib/index.ts';
import { memoryStateStore } from '../../lib/store/state/memory-state-store.ts';
import { scriptedLanguageModel } from './ai-sdk/scripted-language-model.ts';
import { modules } from './langchain/langchain-host.ts';

type Make = (pipeline: never, options?: never) => unknown;

const adapters: { readonly [name: string]: Make } = {
  'the AI SDK': (pipeline, options) => withHooks(ai as never, pipeline, options as never),
  LangChain: (pipeline, options) => hooklineOfLangChain(modules, pipeline, options as never),
  Mastra: (pipeline, options) => hookedMastra({ model: scriptedLanguageModel('v2', []) }, pipeline, options as never),
  'OpenAI Agents': (pipeline, options) => withHooksOfOpenAi(new Runner(), pipeline, options as never),
  Strands: (pipeline, options) => hooklineOfStrands(strands as never, pipeline, options as never),
};

describe('an adapter rejects at once', () => {
  const pipeline = createPipeline([]);

  for (const [name, make] of Object.entries(adapters)) {
    const refused = (given: unknown, options?: unknown): Chai.Assertion =>
      expect(() => make(given as never, options as never)).to.throw();

    it(`a list of hooks instead of a pipeline: ${name}`, () => {
      const hooks = [defineHook({ name: 'h', on: {} })];
      refused(hooks, { agent: 'guest' }).with.property('message').that.includes('a pipeline from createPipeline(..)');
    });

    it(`options without the agent: ${name}`, () => {
      for (const options of [undefined, {}])
        refused(pipeline, options).with.property('message').that.includes('options must contain agent');
    });

    it(`a store instead of pending calls: ${name}`, () => {
      refused(pipeline, { agent: 'guest', pendingCalls: memoryStateStore() })
        .with.property('message')
        .that.includes('pendingCallStore(store)');
    });
  }
});
