import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../../events/message.ts';

/** Files that scripts may read: the conversation of each session, and texts that are too long to hand over. */
export interface ScriptFiles {
  /**
   * Writes the conversation as JSON lines, `{ type, message: { role, content } }` each, and gives the path. Only what is new is added to the
   * file, unless what stands in it has changed, here or there.
   */
  transcript(sessionId: string, messages: readonly Message[]): string;
  /** The text, or what it begins with and where all of it stands, when it is longer than scripts are given. */
  bounded(text: string): string;
  remove(): void;
}

/** What stands in a file: how many messages, each by its place, and how many bytes. Messages that nobody has any more are not kept alive. */
interface Written {
  readonly count: number;
  readonly places: WeakMap<Message, number>;
  readonly bytes: number;
}

/** Longer texts are put into a file (facts 1.5). */
const LONGEST = 10_000;

/** Makes the files in a folder of the system's own, when the first is needed. */
export function createScriptFiles(): ScriptFiles {
  let folder: string | undefined;
  let spilt = 0;
  const names = new Map<string, string>();
  const alike = new Map<string, number>();
  const written = new Map<string, Written>();
  /** Sessions may look the same once what no file name can hold is left out; each has its own file nevertheless. */
  const nameOf = (sessionId: string): string => {
    const known = names.get(sessionId);
    if (known !== undefined) return known;
    const plain = sessionId.replace(/[^\w.-]/g, '_').slice(0, 100);
    // Some file systems take letters of either case for the same.
    const key = plain.toLowerCase();
    const before = alike.get(key) ?? 0;
    const name = before === 0 ? plain : `${plain}~${before + 1}`;
    alike.set(key, before + 1);
    names.set(sessionId, name);
    return name;
  };
  const place = (name: string): string => {
    folder ??= mkdtempSync(join(tmpdir(), 'hookline-claude-'));
    mkdirSync(folder, { recursive: true });
    return join(folder, name);
  };
  return {
    transcript(sessionId, messages) {
      const file = place(`${nameOf(sessionId)}.jsonl`);
      const before = written.get(sessionId);
      const kept = before && begins(messages, before) && sizeOf(file) === before.bytes ? before : undefined;
      const { count, bytes, places } = kept ?? { count: 0, bytes: 0, places: new WeakMap<Message, number>() };
      const added = messages.slice(count);
      if (kept && added.length === 0) return file;
      const lines = added.map((message) => JSON.stringify({ type: message.role, message: toLine(message) }));
      const text = lines.map((line) => `${line}\n`).join('');
      if (kept) appendFileSync(file, text);
      else writeFileSync(file, text, { mode: 0o600 });
      for (const [index, message] of added.entries()) places.set(message, count + index);
      written.set(sessionId, { count: messages.length, places, bytes: bytes + Buffer.byteLength(text) });
      return file;
    },
    bounded(text) {
      if (text.length <= LONGEST) return text;
      spilt += 1;
      const file = place(`output-${spilt}.txt`);
      writeFileSync(file, text, { mode: 0o600 });
      return `${text.slice(0, 2_000)}\n[${text.length - 2_000} more characters; all of it stands in ${file}]`;
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      folder = undefined;
      written.clear();
    },
  };
}

/** Whether the conversation begins with what was written. Messages never change, so the same one is the same line. */
function begins(messages: readonly Message[], { count, places }: Written): boolean {
  if (messages.length < count) return false;
  for (let index = 0; index < count; index += 1) {
    if (places.get(messages[index] as Message) !== index) return false;
  }
  return true;
}

/** In bytes: a script may have removed the file, or written into it. */
function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}

function toLine({ role, parts }: Message): object {
  return {
    role,
    content: parts.map((part) => {
      if (part.type === 'toolCall')
        return { type: 'tool_use', id: part.toolCall.id, name: part.toolCall.name, input: part.toolCall.input };
      if (part.type === 'toolResult')
        return {
          type: 'tool_result',
          tool_use_id: part.toolCallId,
          content: part.result.content,
          is_error: part.result.isError,
        };
      return part.type === 'media' ? { type: 'text', text: part.url } : { type: part.type, text: part.text };
    }),
  };
}
