// A dangerous call is asked about. On a terminal `askBy: 'terminal'` does it; here a function answers in a person's place.
import { createAgent, createPipeline } from 'hookline';
import { dangerousConfirmation } from 'hookline/hooks';
import { scriptedModel, scriptedTool } from 'hookline/testing';

const confirm = dangerousConfirmation({
  askBy: ({ tool, input }) => {
    console.log(`May ${tool} run with ${JSON.stringify(input)}?`);
    return { approved: input['path'] === 'build', reason: 'only build may go' };
  },
});

const remove = scriptedTool({ name: 'delete_file', permission: 'write', result: 'deleted' });
const model = scriptedModel([
  { toolCalls: [{ name: 'delete_file', input: { path: 'build' } }] },
  { toolCalls: [{ name: 'delete_file', input: { path: 'src' } }] },
  'One of two is deleted.',
]);
const agent = createAgent({ name: 'cleaner', model, tools: [remove], pipeline: createPipeline([confirm]) });

agent.run('Delete build and src.').subscribe((event) => {
  if (event.type === 'postActing') console.log(`${event.outcome}: ${event.result.content}`);
});
