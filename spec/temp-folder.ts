import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let home: string | undefined;

/** A new folder that exists until its process exits. */
export function tempFolder(name: string): string {
  home ??= makeHome();
  return mkdtempSync(join(home, `${name}-`));
}

function makeHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-spec-'));
  process.once('exit', () => {
    try {
      // Programs started by specs may still write to it.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch (thrown) {
      console.error(`${folder} stays behind: ${(thrown as Error).message}`);
    }
  });
  // A signal alone is not an exit. Interrupted, mocha forwards the signal that the terminal already sent, so more than one arrives.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, (_, number) => process.exit(128 + number));
  return folder;
}
