// A model says a password in three pieces, a tool prints one. The screen, the transcript and the next prompt get the same markers.
import { createAgent, createPipeline, defineTool } from 'hookline';
import { securityScan } from 'hookline/hooks';
import { scriptedModel } from 'hookline/testing';
import { z } from 'zod';

const PASSWORD = 'correct-horse-battery';

const scan = securityScan({
  known: [{ label: 'db-password', value: PASSWORD }], // or environment: ['DB_PASSWORD']
  policies: { toolInput: 'block' },
});

const config = defineTool({
  name: 'read_config',
  description: 'Reads the configuration.',
  inputSchema: z.object({}),
  permission: 'read',
  execute: () => `host: db.example.org\nlogin: ${PASSWORD}`,
});

const model = scriptedModel([
  { toolCalls: [{ name: 'read_config', input: {} }] },
  { chunks: ['You log in with corr', 'ect-horse-ba', 'ttery there.'] },
]);
const agent = createAgent({ name: 'admin', model, tools: [config], pipeline: createPipeline([scan]) });

let everything = '';
agent.run('How do I log in?').subscribe({
  next: (event) => {
    everything += JSON.stringify(event);
    if (event.type === 'postActing') console.log(event.result.content);
    if (event.type === 'reasoningChunk') process.stdout.write(event.last ? '\n' : event.delta);
    for (const { message } of event.notes ?? []) everything += message;
  },
  complete: () => {
    everything += JSON.stringify(model.requests);
    console.log('Events and prompts hold the password:', everything.includes(PASSWORD) ? 'yes' : 'no');
  },
});
