// generateText of the AI SDK with the hooks of a pipeline around its model and its tools; the model follows a script.
import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createPipeline, defineHook, modify, verdict } from 'hookline';
import { withHooks } from 'hookline/ai-sdk';
import { z } from 'zod';

const pipeline = createPipeline([
  defineHook({
    name: 'north only',
    approve: ({ toolCall: { input } }) => (input['city'] === 'Oslo' ? verdict.allow() : verdict.deny('only Oslo')),
  }),
  defineHook({
    name: 'metric',
    on: { postActing: (event) => modify(event, { result: { ...event.result, content: '{"celsius":18}' } }) },
    match: { tools: ['weather'] },
  }),
]);

const { generateText } = withHooks(ai, pipeline, { agent: 'forecaster' });

async function main(): Promise<void> {
  const result = await generateText({
    model: new MockLanguageModelV4({ doGenerate: [asks('Oslo'), asks('Rome'), says('Take a coat.')] }),
    tools: {
      weather: ai.tool({
        description: 'Tells the weather in a city.',
        inputSchema: z.object({ city: z.string() }),
        execute: async () => ({ fahrenheit: 64 }),
      }),
    },
    stopWhen: ai.isStepCount(5),
    prompt: 'What shall I wear?',
  });
  for (const { output } of result.steps.flatMap(({ toolResults }) => toolResults)) console.log(output);
  console.log(result.text);
}

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
const end = (unified: 'stop' | 'tool-calls') => ({ finishReason: { unified, raw: unified }, usage, warnings: [] });
const says = (text: string) => ({ content: [{ type: 'text' as const, text }], ...end('stop') });
function asks(city: string) {
  const input = JSON.stringify({ city });
  const call = { type: 'tool-call' as const, toolCallId: `call-${city}`, toolName: 'weather', input };
  return { content: [call], ...end('tool-calls') };
}

void main();
