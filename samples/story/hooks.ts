// The hooks of the story. What it shows of them is cut from this file, between the lines that begin with "// show".
import { createPipeline, defineHook, modify, verdict } from 'hookline';
import { type AskFunction, auditLog, dangerousConfirmation, runRecorder, securityScan } from 'hookline/hooks';

const PASSWORD = ['correct', 'horse', 'battery'].join('-');

// show secrets
const secrets = securityScan({
  name: 'secrets',
  known: [{ label: 'db-password', value: PASSWORD }],
});

// show spelling
const spelling = defineHook({
  name: 'spelling',
  match: { tools: ['read_file'] },
  on: {
    preActing: (event) => {
      if (event.toolCall.input['path'] !== 'LICENCE') return undefined;
      const toolCall = { ...event.toolCall, input: { path: 'LICENSE' } };
      return modify(event, { toolCall }, { note: { code: 'respelled', message: 'the file is called LICENSE' } });
    },
  },
});

// show ask-first
const askFirst = (ask: AskFunction) => dangerousConfirmation({ name: 'ask-first', askBy: ask });

// show no-force
const noForce = defineHook({
  name: 'no-force',
  match: { tools: ['run_command'] },
  approve: ({ toolCall }) =>
    String(toolCall.input['command']).includes('--force') ? verdict.deny('never with --force') : verdict.allow(),
});

// show end
/** All of them but the one that is to be left out, and one that records it all. */
export function storyPipeline(ask: AskFunction, file: string, recordings: string, without?: string) {
  const hooks = [secrets, spelling, askFirst(ask), noForce, auditLog({ file })];
  const kept = hooks.filter(({ name }) => name !== without);
  if (without !== undefined && kept.length === hooks.length) {
    console.error(`The story has no hook "${without}". It has ${hooks.map(({ name }) => name).join(', ')}.`);
    process.exit(2);
  }
  return createPipeline([...kept, runRecorder({ folder: recordings })]);
}
