// A run is recorded. Then a stricter policy is tried on the recording: no model is asked, no tool runs, and nobody is asked.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, createPipeline } from 'hookline';
import { permission, runRecorder } from 'hookline/hooks';
import { backtest, replay } from 'hookline/replay';
import { scriptedModel, scriptedTool } from 'hookline/testing';

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  const agent = createAgent({
    name: 'builder',
    model: scriptedModel([
      { text: 'I build it.', toolCalls: [{ name: 'run_command', input: { command: 'npm run build' } }] },
      { text: 'I publish it.', toolCalls: [{ name: 'run_command', input: { command: 'npm publish' } }] },
      'It is published.',
    ]),
    tools: [scriptedTool({ name: 'run_command', permission: 'external', result: 'ok' })],
    pipeline: createPipeline([permission({ allow: ['*'] }), runRecorder({ folder })]),
  });
  await agent.call('Publish the package.');
  const files = readdirSync(folder).map((name) => join(folder, name));

  const stricter = createPipeline([permission({ allow: ['*'], deny: ['run_command(npm publish*)'] })]);
  const [run] = (await replay(files[0] as string, stricter)).runs;
  const [first] = run?.differences ?? [];
  console.log(`parts at event ${first?.seq}: ${first?.type} by ${first?.hook}`);

  const { changes } = await backtest(files, stricter);
  for (const { count, tool, before, after, hook } of changes)
    console.log(`${count} x ${tool}: ${before} -> ${after} by ${hook}`);
  rmSync(folder, { recursive: true });
}

void main();
