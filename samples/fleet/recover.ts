// A run whose process ends in the middle of a call: another process continues it from its journal and its transcript.
import { createAgent, defineTool, memoryTranscript, type SettledEvent, textOf } from 'hookline';
import { scriptedModel } from 'hookline/testing';
import { z } from 'zod';

const pay = defineTool({
  name: 'pay',
  description: 'Pays somebody.',
  inputSchema: z.object({ to: z.string() }),
  // It never ends, so that the run can be cut off.
  execute: () => new Promise<string>(() => {}),
});
const notify = defineTool({
  name: 'notify',
  description: 'Sets a status of a person.',
  idempotent: true,
  inputSchema: z.object({ to: z.string() }),
  execute: ({ to }) => `${to} is notified.`,
});

const transcript = memoryTranscript();
const agentOf = (turns: Parameters<typeof scriptedModel>[0]) =>
  createAgent({ name: 'clerk', model: scriptedModel(turns), tools: [pay, notify], transcript });

/** Runs until the payment has begun, then stops as a killed process would. */
function firstProcess(): Promise<readonly SettledEvent[]> {
  const toolCalls = ['pay', 'notify'].map((name) => ({ name, input: { to: 'Bob' } }));
  const journal: SettledEvent[] = [];
  return new Promise((resolve) => {
    agentOf([{ toolCalls }])
      .run('Pay Bob.', { sessionId: 's1' })
      .subscribe((event) => {
        journal.push(event);
        if (event.type === 'preActing') resolve(JSON.parse(JSON.stringify(journal)));
      });
  });
}

async function main(): Promise<void> {
  const journal = await firstProcess();
  const agent = agentOf([{ text: 'It is unknown whether Bob was paid.' }]);
  // Another process has another queue for the session. Here, the first run would hold it.
  const own = { load: transcript.load, append: transcript.append, truncate: transcript.truncate };
  agent.recover(journal, { writeAhead: true, transcript: own }).subscribe((event) => {
    if (event.type === 'postActing') console.log(`${event.toolCall.name}: ${event.outcome}`);
    if (event.type === 'postCall') console.log(`${event.outcome}: ${textOf(event.message)}`);
  });
}

void main();
