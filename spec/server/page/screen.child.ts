// A server with its page, to be killed: node .. screen.child.ts FOLDER PORT. It prints the URL of the page.
import { join } from 'node:path';
import { fileStore } from 'hookline/config';
import { fileRunStore } from 'hookline/server';
import { aScreen } from './a-screen.ts';
import { storyAgent } from './a-story.ts';

async function main([folder = '', port = '0']: readonly string[]): Promise<void> {
  const screen = await aScreen({
    agent: storyAgent({ delayMs: 20 }),
    store: fileStore(folder),
    runStore: fileRunStore(join(folder, 'runs')),
    port: Number(port),
  });
  console.log(await screen.urlOf());
}

void main(process.argv.slice(2));
