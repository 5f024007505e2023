import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect } from 'chai';
import { z } from 'zod';
import { withHooks } from '../../../../lib/adapters/ai-sdk/index.ts';
import { createPipeline, defineHook, type HookDefinition } from '../../../../lib/index.ts';
import { recorder } from '../../../../lib/testing/index.ts';

const usage = { inputTokens: { total: 3 }, outputTokens: { total: 2 } } as never;
const end = (unified: 'stop' | 'tool-calls') => ({ finishReason: { unified, raw: unified }, usage, warnings: [] });
export const says = (text: string) => ({ content: [{ type: 'text' as const, text }], ...end('stop') });
export const calls = (toolName: string, input: object, toolCallId = 'c1') => ({
  content: [{ type: 'tool-call' as const, toolCallId, toolName, input: JSON.stringify(input) }],
  ...end('tool-calls'),
});
type Answer = ReturnType<typeof says> | ReturnType<typeof calls>;
export const modelOf = (...answers: readonly Answer[]) =>
  new MockLanguageModelV4({ doGenerate: [...answers] as never });

export function hooked(hooks: readonly HookDefinition[], more: object = {}) {
  const recorded = recorder();
  const pipeline = createPipeline([...hooks.map((hook) => defineHook(hook)), recorded]);
  return { ...withHooks(ai, pipeline, { agent: 'guest', ...more }), recorded };
}

export const look = (execute: (input: { at: string }) => unknown = () => ({ seen: true })) => ({
  look: ai.tool({
    description: 'Looks.',
    inputSchema: z.object({ at: z.string() }),
    execute: async (input) => execute(input),
  }),
});
export const watch: HookDefinition = { name: 'watch', observe: () => {} };
export const stopWhen = ai.isStepCount(5);
export const rejection = (promise: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(promise).then(
    () => expect.fail('it should have been rejected'),
    (thrown) => thrown,
  );
