// An approver that cannot decide alone: the run is suspended, kept as JSON, and goes on when somebody has answered.
import { createAgent, createPipeline, defineHook, defineTool, pendingCalls, textOf, verdict } from 'hookline';
import { scriptedModel } from 'hookline/testing';
import { z } from 'zod';

const fourEyes = defineHook({
  name: 'four-eyes',
  match: { tools: ['pay'] },
  approve: ({ toolCall }) =>
    Number(toolCall.input['euros']) > 100 ? verdict.suspend(`Pay ${toolCall.input['euros']} euros?`) : verdict.allow(),
});

const pay = defineTool({
  name: 'pay',
  description: 'Pays somebody.',
  inputSchema: z.object({ to: z.string(), euros: z.number() }),
  execute: ({ to, euros }) => `Paid ${euros} euros to ${to}.`,
});

const agent = createAgent({
  name: 'clerk',
  model: scriptedModel([{ toolCalls: [{ name: 'pay', input: { to: 'Ada', euros: 250 } }] }, { text: 'It is paid.' }]),
  tools: [pay],
  pipeline: createPipeline([fourEyes]),
});

async function main(): Promise<void> {
  const asked = await agent.call('Pay Ada 250 euros.');
  console.log(`${asked.outcome}: the run waits`);
  // A database, a queue, a week may lie between the two. Whoever stores it must keep others from changing it.
  const snapshot = JSON.parse(JSON.stringify(asked.snapshot));
  const answers: Record<string, { approved: boolean }> = {};
  for (const { key, prompt, by } of pendingCalls(snapshot)) {
    console.log(`${by} asks: ${prompt}`);
    answers[key] = { approved: true };
  }
  agent.resume(snapshot, answers).subscribe((event) => {
    if (event.type === 'postActing') console.log(`${event.outcome}: ${event.result.content}`);
    if (event.type === 'postCall') console.log(`${event.outcome}: ${textOf(event.message)}`);
  });
}

void main();
