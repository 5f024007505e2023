// What runs did and how long they took: per run in notes, summed up, and as metrics of Prometheus.
import { createAgent, createPipeline, defineTool } from 'hookline';
import { monitor, timing } from 'hookline/hooks';
import { scriptedModel } from 'hookline/testing';
import { z } from 'zod';

const counts = monitor({ prometheus: true, prices: { '*': { input: 1, output: 4 } } });
const times = timing({ slowMs: { tool: 30_000 }, hooks: true });

const agent = createAgent({
  name: 'reader',
  tools: [defineTool({ name: 'look', description: 'Looks.', inputSchema: z.object({}), execute: () => 'seen' })],
  model: scriptedModel([
    { toolCalls: [{ name: 'look', input: {} }], usage: { inputTokens: 900_000, outputTokens: 0 } },
    { text: 'Done.', usage: { inputTokens: 100_000, outputTokens: 250_000 } },
  ]),
  pipeline: createPipeline([counts.hook, times.hook]),
});

async function main(): Promise<void> {
  const { notes } = await agent.call('Look around.');
  console.log(notes?.map(({ code }) => code).join(', '));
  const { modelSteps, toolCalls, cost } = counts.totals();
  console.log(`${modelSteps} model steps, ${toolCalls['executed']} tool call, ${cost} USD`);
  const { tool, hook } = times.summary();
  console.log(`measured: ${Object.keys({ ...tool, ...hook }).join(', ')}`);
  const text = await counts.prometheus();
  console.log(text.split('\n').find((line) => line.startsWith('hookline_runs_total')));
}

main();
