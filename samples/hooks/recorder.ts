// A run is recorded, and played again without its model and its tools.
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, createPipeline, defineTool } from 'hookline';
import { runRecorder } from 'hookline/hooks';
import { recordedRun, scriptedModel } from 'hookline/testing';

const folder = mkdtempSync(join(tmpdir(), 'recordings-'));

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather.',
  inputSchema: { type: 'object' },
  permission: 'read',
  execute: () => '18 degrees',
});

const reporter = createAgent({
  name: 'reporter',
  model: scriptedModel([{ toolCalls: [{ name: 'weather', input: {} }] }, 'It is mild.']),
  tools: [weather],
  pipeline: createPipeline([runRecorder({ folder })]),
});

async function main(): Promise<void> {
  await reporter.call('How is the weather?');
  const [file = ''] = readdirSync(folder);

  const { model, tools, input } = recordedRun(join(folder, file));
  const again = createAgent({ name: 'reporter', model, tools });

  again.run(input).subscribe((event) => {
    if (event.type === 'postActing') console.log(`${event.toolCall.name}: ${event.result.content}`);
    if (event.type === 'reasoningChunk' && !event.last) console.log(event.delta);
  });
}

void main();
