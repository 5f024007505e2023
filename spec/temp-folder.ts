import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let home: string | undefined;

/** A new folder, which is there until the process that made it ends. */
export function tempFolder(name: string): string {
  home ??= makeHome();
  return mkdtempSync(join(home, `${name}-`));
}

function makeHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-spec-'));
  process.once('exit', () => {
    try {
      // Programs that specs have started may still be writing into it.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch (thrown) {
      console.error(`${folder} stays behind: ${(thrown as Error).message}`);
    }
  });
  // A signal by itself is no exit. Interrupted, mocha sends on what the terminal has sent already: more than one comes.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, (_, number) => process.exit(128 + number));
  return folder;
}
