// The spans of a run, in memory. Your application registers its own SDK instead, before the first run.
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createAgent, createPipeline, defineHook, defineTool, verdict } from 'hookline';
import { otel } from 'hookline/otel';
import { scriptedModel } from 'hookline/testing';
import { z } from 'zod';

const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const pipeline = createPipeline([
  otel({ provider: 'openai' }),
  defineHook({ name: 'guard', match: { tools: ['wipe'] }, approve: () => verdict.deny('not here') }),
]);

const tool = (name: string) =>
  defineTool({ name, description: `Can ${name}.`, inputSchema: z.object({}), execute: () => 'done' });

const agent = createAgent({
  name: 'reader',
  tools: [tool('look'), tool('wipe')],
  model: scriptedModel([
    {
      toolCalls: [
        { name: 'look', input: {} },
        { name: 'wipe', input: {} },
      ],
    },
    { text: 'Done.' },
  ]),
  pipeline,
});

async function main(): Promise<void> {
  await agent.call('Look around.');
  for (const { name, events } of exporter.getFinishedSpans())
    console.log([name, ...events.map((event) => `${event.attributes?.['hookline.tool.decision']}`)].join(': '));
}

main();
