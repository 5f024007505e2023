import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
import type { SavedIndex } from './folder-index.ts';

/** Increase it with the format of the index, and with the way in which texts are split and searched. */
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

/** Reads the index from `writeIndex`, or returns undefined if there is no file. Throws if it is damaged or has another version. */
export async function readIndex(path: string): Promise<SavedIndex | undefined> {
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, 'utf8');
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (thrown) {
    throw new Error(`it is damaged or truncated (${messageOf(thrown)})`);
  }
  const { version } = (data ?? {}) as { version?: unknown };
  if (version !== VERSION) throw new Error(`it has version ${JSON.stringify(version)}, expected ${VERSION}`);
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new Error(`it is damaged (${z.prettifyError(parsed.error)})`);
  return parsed.data;
}

/** Writes an index atomically, owner-only. */
export async function writeIndex(path: string, index: SavedIndex): Promise<void> {
  makeFolder(dirname(path), 0o700);
  await writeFileAtomic(path, JSON.stringify({ version: VERSION, ...index }), { mode: 0o600 });
}
