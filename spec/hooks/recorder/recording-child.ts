import { runRecorder } from '../../../lib/hooks/index.ts';
import { createAgent, createPipeline } from '../../../lib/index.ts';
import { scriptedModel, scriptedTool } from '../../../lib/testing/index.ts';

/** Exits in the middle of a run, while a tool is running. */
const die = scriptedTool({ name: 'die', result: () => process.kill(process.pid, 'SIGKILL') as never });
const model = scriptedModel([{ text: 'Now.', toolCalls: [{ name: 'die', input: {} }] }, 'never']);
const pipeline = createPipeline([runRecorder({ folder: process.argv[2] as string })]);
void createAgent({ name: 'a', model, tools: [die], pipeline }).call('go');
