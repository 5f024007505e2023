import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RecorderOptions, runRecorder } from 'hookline/hooks';
import { tempFolder } from '../temp-folder.ts';

/** Returns a recorder with a folder of its own. */
export function recordingIn(options: RecorderOptions = {}) {
  const folder = tempFolder('replay');
  return { folder, recorder: runRecorder({ folder, ...options }) };
}

/** Returns the only recording of a folder. */
export function recordingFileIn(folder: string): string {
  const [name, ...others] = readdirSync(folder).filter((one) => one.endsWith('.jsonl'));
  if (name === undefined || others.length > 0) throw new Error(`${folder} has ${others.length + 1} recordings`);
  return join(folder, name);
}
