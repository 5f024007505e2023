import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
import type { SavedIndex } from './folder-index.ts';

/** Another format of the index, or another way in which texts are cut and looked up, is another version. */
const VERSION = 2;

const stamp = { mtimeMs: z.number(), ctimeMs: z.number(), size: z.number() };
const piece = z.object({ id: z.int(), text: z.string(), lines: z.tuple([z.int(), z.int()]), title: z.string() });
const schema = z.object({
  version: z.literal(VERSION),
  next: z.int(),
  files: z.array(z.tuple([z.string(), z.object({ ...stamp, pieces: z.array(piece).exactOptional() })])),
  ignores: z.array(z.tuple([z.string(), z.object({ ...stamp, text: z.string() })])),
  engine: z.looseObject({}),
  told: z.string(),
});

/** What `writeIndex` has written; nothing if there is no such file. Throws where it is of another version or damaged. */
export async function readIndex(path: string): Promise<SavedIndex | undefined> {
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, 'utf8');
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (thrown) {
    throw new Error(`it is damaged or cut short (${messageOf(thrown)})`);
  }
  const { version } = (data ?? {}) as { version?: unknown };
  if (version !== VERSION) throw new Error(`it is of version ${JSON.stringify(version)}, not ${VERSION}`);
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new Error(`it is damaged (${z.prettifyError(parsed.error)})`);
  return parsed.data;
}

/** Writes an index in one step, for its owner only. */
export async function writeIndex(path: string, index: SavedIndex): Promise<void> {
  makeFolder(dirname(path), 0o700);
  await writeFileAtomic(path, JSON.stringify({ version: VERSION, ...index }), { mode: 0o600 });
}
