import { createHash } from 'node:crypto';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HooklineError } from '../../errors.ts';
import { type Message, messageSchema } from '../../events/parts/message.ts';
import { makeFolder } from '../documents/make-folder.ts';
import { endOfLines } from '../lines/end-of-lines.ts';
import { jsonLine, parseLine } from '../lines/json-line.ts';
import { streamLines } from '../lines/read-lines.ts';
import { assertReadable } from './assert-readable.ts';
import type { TranscriptStore } from './transcript-store.ts';

/** The version of the file format, in the first line of each file. */
const FORMAT_VERSION = 1;

/**
 * Stores each session as a JSON Lines file in `folder`, which is created when needed. The first line is a header, and each further line a message.
 * Appending is one write, and truncating replaces the file atomically. Messages that could not be read again are rejected. A last line that a crash
 * cut short is ignored. Other damage throws `TRANSCRIPT_FAILED` with file and line, and the file is not changed.
 */
export function fileTranscript(folder: string): TranscriptStore {
  if (typeof folder !== 'string' || folder === '') {
    throw new HooklineError('OPTIONS_INVALID', 'fileTranscript(folder): the folder must be a path.');
  }
  const pathOf = (sessionId: string) => join(folder, fileName(sessionId));

  async function load(sessionId: string): Promise<readonly Message[]> {
    const path = pathOf(sessionId);
    const messages: Message[] = [];
    try {
      for await (const line of streamLines(path)) {
        // Text after the last line break is an interrupted write.
        if (!line.whole) break;
        const value = parseLine(line, () => {
          throw damaged(path, line.number, 'is not JSON');
        });
        if (line.number === 1) checkHeader(value, path);
        else messages.push(readMessage(value, path, line.number));
      }
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    }
    return messages;
  }

  async function rewrite(sessionId: string, messages: readonly Message[]): Promise<void> {
    const path = pathOf(sessionId);
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, [header(sessionId), ...messages].map(jsonLine).join(''), { mode: 0o600, flush: true });
      await rename(temporary, path);
    } catch (thrown) {
      await rm(temporary, { force: true });
      throw thrown;
    }
  }

  return {
    load,
    async append(sessionId, given) {
      const messages = [...given];
      const path = pathOf(sessionId);
      assertReadable(messages, path);
      makeFolder(resolve(folder), 0o700);
      // A line that a crash cut short must not be joined with the next one.
      if (endOfLines(path) === 'whole') await appendFile(path, messages.map(jsonLine).join(''), { flush: true });
      else await rewrite(sessionId, [...(await load(sessionId)), ...messages]);
    },
    async truncate(sessionId, length) {
      await rewrite(sessionId, (await load(sessionId)).slice(0, length));
    },
  };
}

function header(sessionId: string): object {
  return { format: 'hookline-transcript', version: FORMAT_VERSION, sessionId };
}

/** A session id may contain any character. If some are not safe in a file name, a hash keeps names distinct. */
function fileName(sessionId: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(sessionId) && sessionId === sessionId.toLowerCase())
    return `${sessionId}.jsonl`;
  const readable = sessionId
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .slice(0, 40);
  return `${readable}.${createHash('sha256').update(sessionId).digest('hex').slice(0, 16)}.jsonl`;
}

function checkHeader(value: unknown, path: string): void {
  const { format, version } = Object(value) as { format?: unknown; version?: unknown };
  if (format !== 'hookline-transcript' || version !== FORMAT_VERSION)
    throw damaged(path, 1, `is not the header of a transcript of version ${FORMAT_VERSION}`);
}

function readMessage(value: unknown, path: string, line: number): Message {
  const parsed = messageSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw damaged(path, line, `is not a message: ${parsed.error.issues[0]?.message}`);
}

function damaged(path: string, line: number, problem: string): HooklineError {
  return new HooklineError(
    'TRANSCRIPT_FAILED',
    `${path}:${line} ${problem}. Fix the line, or move the file to start a new session.`,
  );
}
