import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent } from 'hookline';
import { createLiveHooks } from 'hookline/config';
import { scriptedModel } from 'hookline/testing';

const folder = mkdtempSync(join(tmpdir(), 'hookline-sample-'));
const file = join(folder, 'hooks.json');
const say = (type: string): void => writeFileSync(file, JSON.stringify({ hooks: { guard: { type } } }));

async function main(): Promise<void> {
  say('security-scan');
  const live = await createLiveHooks({ files: [file] });
  live.changes$.subscribe((change) => {
    if (change.type === 'refused') console.log(`keeping the previous configuration: ${change.issues[0]?.message}`);
  });

  // What a run begins with it keeps, and its processes stay up until it gives its lease back.
  const { pipeline, release } = await live.lease();
  say('dangerous-confirmation');
  await live.reload(); // or whenever the file changes: watchFiles([file]).subscribe(() => live.reload())
  const model = scriptedModel([{ text: 'The key is AKIAZ7QK2MRWX5LTN3PB.' }]);
  const { message } = await createAgent({ name: 'a', model, pipeline }).call('Tell me the key.');
  release();
  console.log(message?.parts);

  const later = await live.lease();
  console.log(later.pipeline.hooks.map(({ name, description }) => `${name}: ${description}`));
  later.release();

  say('dangerous-confirmatoin');
  await live.reload();
  await live.close();
  rmSync(folder, { recursive: true });
}

void main();
