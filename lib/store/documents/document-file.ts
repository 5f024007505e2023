import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { DocumentKey } from './document-store.ts';
import type { Revision } from './revisions.ts';

/** The content of a file: a document with its history, newest revision first. */
export interface DocumentFile {
  readonly key: DocumentKey;
  readonly revisions: readonly Revision[];
}

const FORMAT = 'hookline-document';
const VERSION = 1;

const headSchema = z.looseObject({ format: z.literal(FORMAT), version: z.int() });
const fileSchema = z.object({
  key: z.tuple([z.string()], z.string()),
  revisions: z
    .array(
      z.object({
        revision: z.int().positive(),
        savedAt: z.string(),
        // The value is parsed JSON.
        value: z.custom<JsonValue>((value) => value !== undefined),
      }),
    )
    .min(1),
});

/** Serializes a document file. */
export function writtenDocument({ key, revisions }: DocumentFile): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, key, revisions })}\n`;
}

/** Reads a file; undefined if there is none. A file that is not a document of this version is `STORE_FAILED`, and is not changed. */
export async function readDocument(path: string): Promise<DocumentFile | undefined> {
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return undefined;
    throw thrown;
  });
  return text === undefined ? undefined : parsed(text, path);
}

function parsed(text: string, path: string): DocumentFile {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw refused(path, 'is not JSON', cause);
  }
  const head = headSchema.safeParse(content);
  if (!head.success) throw refused(path, 'is not a document of Hookline');
  const { version } = head.data;
  if (version !== VERSION) {
    const way = version > VERSION ? 'Use the newer Hookline that wrote it' : 'Convert it';
    throw new HooklineError(
      'STORE_FAILED',
      `"${path}" has version ${version} of the format of documents, and this Hookline reads version ${VERSION}. ${way}, or move the file away to start a new one.`,
    );
  }
  const file = fileSchema.safeParse(content);
  if (!file.success) throw refused(path, `is a damaged document: ${z.prettifyError(file.error)}`, file.error);
  return file.data;
}

function refused(path: string, what: string, cause?: unknown): HooklineError {
  return new HooklineError(
    'STORE_FAILED',
    `"${path}" ${what}. Fix it, or move it away to start a new one; it is not overwritten.`,
    { cause },
  );
}
