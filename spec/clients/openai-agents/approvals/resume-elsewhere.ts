import { readFileSync } from 'node:fs';
import { RunState } from '@openai/agents-core';
import { pendingCallStore } from '../../../../lib/loops/index.ts';
import { fileStateStore } from '../../../../lib/store/state/file-state-store.ts';
import { scene } from '../scene.ts';
import { guard } from './resume-guard.ts';

/** Answers the run with the state in a file and pending calls in a folder, and prints the tools that ran. */
async function main(stateFile: string, folder: string): Promise<void> {
  const pendingCalls = pendingCallStore(fileStateStore(folder));
  const { run, agent, tool, ran } = scene([{ chunks: ['Done.'] }], guard, { pendingCalls });
  const one = agent('one', { tools: [tool('look')] });
  const state = await RunState.fromString(one, readFileSync(stateFile, 'utf8'));
  for (const question of state.getInterruptions()) state.approve(question);
  const { finalOutput } = await run(one, state);
  process.stdout.write(JSON.stringify([finalOutput, ran]));
}

void main(process.argv[2]!, process.argv[3]!);
