// Rules say which calls run, which are asked about, and which never run.
import { createAgent, createPipeline } from 'hookline';
import { permission } from 'hookline/hooks';
import { scriptedModel } from 'hookline/testing';
import { workspaceTools } from 'hookline/tools';

const rules = permission(
  {
    allow: ['read_file', 'run_command(node --version)', 'run_command(echo:*)'],
    ask: ['run_command(git push:*)'],
    deny: ['run_command(rm:*)', 'Read(.env)', { tool: 'fetch_*', host: '*.internal' }],
    askBy: ({ rule }) => ({ approved: false, reason: `nobody is there to answer for ${rule}` }),
  },
  { workspace: process.cwd() },
);

const agent = createAgent({
  name: 'careful',
  model: scriptedModel([
    {
      toolCalls: [
        { name: 'run_command', input: { command: 'echo hello' } },
        { name: 'run_command', input: { command: 'echo hello && rm -rf build' } },
        { name: 'run_command', input: { command: 'git push origin' } },
        { name: 'read_file', input: { path: '.env' } },
      ],
    },
    'Done.',
  ]),
  tools: workspaceTools({ root: process.cwd() }),
  pipeline: createPipeline([rules]),
});

agent.run('Go.').subscribe((event) => {
  if (event.type === 'postActing') console.log(`${event.outcome}: ${event.result.content.trim()}`);
});
