// A hook that rewrites a tool call and the words of the model, in an agent with one tool.
import { createAgent, createPipeline, defineHook, defineTool, modify } from 'hookline';
import { scriptedModel } from 'hookline/testing';
import { z } from 'zod';

const house = defineHook({
  name: 'house-rules',
  match: { tools: ['weather'] }, // restricts tool events; chunks have no tool
  on: {
    preActing: (event) => {
      const input = { ...event.toolCall.input, unit: 'celsius' };
      return modify(event, { toolCall: { ...event.toolCall, input } });
    },
    reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.replaceAll('!', '.') }),
  },
});

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  inputSchema: z.object({ city: z.string(), unit: z.enum(['celsius', 'fahrenheit']) }),
  permission: 'read',
  execute: ({ city, unit }) => `It is ${unit === 'celsius' ? '18 °C' : '64 °F'} in ${city}.`,
});

const agent = createAgent({
  name: 'forecaster',
  model: scriptedModel([
    { text: 'Let me look!', toolCalls: [{ name: 'weather', input: { city: 'Oslo', unit: 'fahrenheit' } }] },
    { chunks: ['Take ', 'a coat', '!'] },
  ]),
  tools: [weather],
  pipeline: createPipeline([house]),
});

agent.run('What is the weather in Oslo?').subscribe((event) => {
  if (event.type === 'reasoningChunk') process.stdout.write(event.last ? '\n' : event.delta);
  if (event.type === 'postActing') console.log(`[${event.toolCall.name}: ${event.result.content}]`);
});
