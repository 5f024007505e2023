// What `npm start` runs: an agent looks at this repository, three hooks look at the agent. `--without <hook>` takes one away.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, createPipeline, defineHook, type HookEvent, modify, verdict } from 'hookline';
import { auditLog } from 'hookline/hooks';
import { offlineModel } from 'hookline/offline';
import { workspaceTools } from 'hookline/tools';

const file = join(mkdtempSync(join(tmpdir(), 'hookline-story-')), 'audit.jsonl');
const PROMPT = 'Read LICENCE, then run node --version.';
const spelling = defineHook({
  name: 'spelling',
  on: {
    preActing: (event) => {
      const { name, input, id } = event.toolCall;
      if (input['path'] !== 'LICENCE') return undefined;
      const note = { code: 'respelled', message: 'the file is called LICENSE, so that is read' };
      return modify(event, { toolCall: { id, name, input: { ...input, path: 'LICENSE' } } }, { note });
    },
  },
});
const onlyLook = defineHook({
  name: 'only-look',
  approve: ({ permission }) => (permission === 'read' ? verdict.allow() : verdict.deny('this story only looks')),
});
const without = process.argv[2] === '--without' ? process.argv[3] : undefined;
const hooks = [spelling, onlyLook, auditLog({ file })].filter(({ name }) => name !== without);
function tell(event: HookEvent): string {
  if (event.type === 'reasoningChunk' && event.part === 'text') return event.last ? '\n' : event.delta;
  if (event.type === 'preActing') {
    const notes = (event.notes ?? []).map(({ by, message }) => `  ~ ${by}: ${message}\n`);
    return `  → ${event.toolCall.name} ${JSON.stringify(event.toolCall.input)}\n${notes.join('')}`;
  }
  if (event.type !== 'postActing') return '';
  return `  ${event.result.isError ? '✗' : '✓'} ${event.outcome}: ${event.result.content.split('\n')[0]}\n\n`;
}

const agent = createAgent({
  name: 'storyteller',
  model: offlineModel({ delayMs: 20 }), // a few rules, no language model; the tools and the files are real
  tools: workspaceTools({ root: join(__dirname, '..') }),
  pipeline: createPipeline(hooks),
});
console.log(`Hooks: ${hooks.map(({ name }) => name).join(', ')}.\n\nYou: ${PROMPT}\n`);
agent.run(PROMPT).subscribe({
  next: (event) => process.stdout.write(tell(event)),
  complete: () =>
    console.log(without === 'audit-log' ? '\nNobody has audited this.' : `\nThe audit of all this: ${file}`),
});
