import { createHash } from 'node:crypto';
import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../events/parts/message.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
import { makeTempFolder, removeTempFolder } from './temp-folders.ts';
import { type Chain, type LineScope, transcriptLines } from './transcript-lines.ts';

/** Files for scripts: the transcript of each session, and long texts. They are deleted when the process exits. */
export interface ScriptFiles {
  /**
   * Writes the transcript as JSON lines and returns the path. Only new messages are appended, unless old messages or the file changed. The file stays
   * until `done` was called for each call. Afterwards it may be deleted if there are too many.
   */
  transcript(messages: readonly Message[], scope: LineScope): string;
  done(sessionId: string): void;
  /** Returns the text. If it exceeds the limit for scripts, returns its beginning and the path of the full text. */
  bounded(text: string): string;
  /** Creates a file with this text. */
  file(name: string, text: string): string;
  remove(): void;
}

/** State of a transcript file: the place of each message, the count and the bytes. Unused messages can be garbage-collected. */
interface Written {
  readonly name: string;
  readonly count: number;
  readonly places: WeakMap<Message, number>;
  readonly bytes: number;
  readonly chain: Chain;
  readonly users: number;
}

/** Longer texts are written to a file. */
const LONGEST = 10_000;
/** Maximum number of files and bytes of unused transcripts and texts. */
const MOST_FILES = 100;
const MOST_BYTES = 1 << 26;

/** Creates a file store in a temporary folder, which is created on first use. */
export function createScriptFiles(): ScriptFiles {
  let folder: string | undefined;
  let made = 0;
  const texts: string[] = [];
  /** By session, with the most recently used one last. */
  const written = new Map<string, Written>();
  const place = (name: string): string => {
    folder ??= makeTempFolder();
    makeFolder(folder);
    return join(folder, name);
  };
  /** Returns a file name for the session. Some file systems ignore case. */
  const nameOf = (sessionId: string): string => {
    const plain = sessionId.replace(/[^\w.-]/g, '_').slice(0, 100);
    const taken = [...written.values()].some(({ name }) => name.toLowerCase() === plain.toLowerCase());
    return taken ? `${plain}~${createHash('sha256').update(sessionId).digest('hex').slice(0, 16)}` : plain;
  };
  const bound = (): void => {
    let bytes = 0;
    for (const one of written.values()) bytes += one.bytes;
    for (const [sessionId, one] of written) {
      if (written.size <= MOST_FILES && bytes <= MOST_BYTES) return;
      if (one.users > 0) continue;
      rmSync(place(`${one.name}.jsonl`), { force: true });
      written.delete(sessionId);
      bytes -= one.bytes;
    }
  };
  const file = (name: string, text: string): string => {
    made += 1;
    const path = place(name.replace('*', String(made)));
    writeFileSync(path, text, { mode: 0o600 });
    texts.push(path);
    for (const old of texts.splice(0, texts.length - MOST_FILES)) rmSync(old, { force: true });
    return path;
  };
  return {
    transcript(messages, scope) {
      const { sessionId } = scope;
      const before = written.get(sessionId);
      const name = before?.name ?? nameOf(sessionId);
      const path = place(`${name}.jsonl`);
      const kept = before && begins(messages, before) && sizeOf(path) === before.bytes ? before : undefined;
      const { count, bytes, places, chain } = kept ?? NOTHING();
      const added = messages.slice(count);
      const next = transcriptLines(added, count, chain, scope);
      const text = next.lines.map((line) => `${line}\n`).join('');
      if (!kept) writeFileSync(path, text, { mode: 0o600 });
      else if (text !== '') appendFileSync(path, text);
      for (const [index, message] of added.entries()) places.set(message, count + index);
      written.delete(sessionId);
      written.set(sessionId, {
        ...{ name, places, count: messages.length, chain: next.chain },
        ...{ bytes: bytes + Buffer.byteLength(text), users: (before?.users ?? 0) + 1 },
      });
      bound();
      return path;
    },
    done(sessionId) {
      const one = written.get(sessionId);
      if (one) written.set(sessionId, { ...one, users: Math.max(0, one.users - 1) });
      bound();
    },
    bounded(text) {
      if (text.length <= LONGEST) return text;
      const path = file('output-*.txt', text);
      return `${text.slice(0, 2_000)}\n[${text.length - 2_000} more characters; the full text is in ${path}]`;
    },
    file,
    remove() {
      if (folder !== undefined) removeTempFolder(folder);
      folder = undefined;
      written.clear();
      texts.length = 0;
    },
  };
}

const NOTHING = () => ({ count: 0, bytes: 0, places: new WeakMap<Message, number>(), chain: { parent: null } });

/** Returns whether the transcript starts with the written messages. Messages are immutable, so the same object is the same line. */
function begins(messages: readonly Message[], { count, places }: Written): boolean {
  if (messages.length < count) return false;
  for (let index = 0; index < count; index += 1) {
    if (places.get(messages[index] as Message) !== index) return false;
  }
  return true;
}

/** Returns the size in bytes. A script may have deleted or changed the file. */
function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
