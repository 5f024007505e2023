import { createAgent, createPipeline, defineHook, defineTool, modify, verdict } from 'hookline';
import { securityScan } from 'hookline/hooks';
import { scriptedModel } from 'hookline/testing';
import { z } from 'zod';

const seen: string[] = [];

const guard = defineHook({
  name: 'guard',
  on: {
    preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { path: 'notes.txt' } } }), // rewrite
    reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.replaceAll('!', '.') }),
  },
  approve: ({ toolCall }) => (toolCall.name === 'delete_file' ? verdict.deny('read only') : verdict.allow()),
  observe: (event) => void seen.push(event.type), // audit
});

const pipeline = createPipeline([guard, securityScan()]); // securityScan redacts secrets in streams and results

const tool = (name: string) =>
  defineTool({
    name,
    description: `The tool ${name}.`,
    inputSchema: z.object({ path: z.string() }),
    permission: 'write',
    execute: ({ path }) => `${name} ${path}`,
  });

const agent = createAgent({
  name: 'demo',
  model: scriptedModel([
    { toolCalls: [{ name: 'read_file', input: { path: 'other.txt' } }] },
    { toolCalls: [{ name: 'delete_file', input: { path: 'other.txt' } }] },
    { chunks: ['Done', '!'] },
  ]),
  tools: [tool('read_file'), tool('delete_file')],
  pipeline,
});

agent.run('Tidy up.').subscribe({
  next: (event) => {
    if (event.type === 'postActing') console.log(`${event.outcome}: ${event.result.content}`);
    if (event.type === 'postCall') console.log(`${event.outcome}, ${seen.length > 0}`);
    if (event.type === 'reasoningChunk' && !event.last) console.log(event.delta);
  },
});
