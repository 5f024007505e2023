// Skills are listed to the model, and loaded when it wants one.
import { createAgent, createPipeline, textOf } from 'hookline';
import { skills } from 'hookline/hooks';
import { scriptedModel } from 'hookline/testing';

const model = scriptedModel([
  { toolCalls: [{ name: 'load_skill', input: { name: 'release-notes' } }] },
  { toolCalls: [{ name: 'load_skill', input: { name: 'release-notes', file: 'template.md' } }] },
  'Here they are.',
]);
const pipeline = createPipeline([skills({ folders: ['samples/hooks/skills'] })]);
const agent = createAgent({ name: 'writer', model, pipeline });

agent.run('Write release notes.').subscribe((event) => {
  if (event.type === 'postActing') console.log(`${event.outcome}: ${event.result.content.split('\n')[0]}`);
  if (event.type === 'postCall') console.log(textOf(model.requests[0]?.messages[0]).split('\n')[1]);
});
