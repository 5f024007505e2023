import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { firstValueFrom } from 'rxjs';
import { type ProcessHook, type ProcessHookOptions, processHook } from '../../../lib/process-hooks/index.ts';
import { tempFolder } from '../../temp-folder.ts';

/** Replies of the program by method: a result, an error, or `null` for no reply. A list is used item by item. */
export type Replies = Readonly<Record<string, unknown>>;

const PROGRAM = `
  const fs = require('node:fs');
  const replies = JSON.parse(process.env.REPLIES);
  const lines = require('node:readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    fs.appendFileSync(process.env.FRAMES, line + '\\n');
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    let reply = replies[method];
    if (Array.isArray(reply)) reply = reply.shift();
    if (reply === null) return;
    if (reply === 'exit') process.exit(7);
    console.log(JSON.stringify(reply?.error ? { id, error: reply.error } : { jsonrpc: '2.0', id, result: reply ?? {} }));
  });`;

export interface Frame {
  readonly id?: number;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a program was sent is read member by member.
  readonly params: Record<string, any>;
}

/** A process hook with a program that sends these `replies` and records every frame. */
export function processScene(replies: Replies, options: Partial<ProcessHookOptions> = {}) {
  const folder = tempFolder('process');
  const file = join(folder, 'frames');
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  const program = {
    command: [process.execPath, '-e', PROGRAM],
    env: { REPLIES: JSON.stringify(replies), FRAMES: file },
  };
  const hook: ProcessHook = processHook({
    name: 'remote',
    ...program,
    intercept: ['before_llm', 'after_llm', 'before_tool', 'after_tool', 'approve_tool'],
    log,
    ...options,
    timeouts: { helloMs: 30_000, interceptorMs: 30_000, approvalMs: 30_000, ...options.timeouts },
  });
  return {
    hook,
    /** For specs that create the hook differently. */
    program,
    logged,
    frames(method?: string): Frame[] {
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      const frames = lines.map((line) => JSON.parse(line) as Frame);
      return method === undefined ? frames : frames.filter((frame) => frame.method === method);
    },
    /** Waits until the program has read everything. It has exited then. */
    async settled(): Promise<void> {
      await firstValueFrom(hook.start(), { defaultValue: undefined });
      await hook.stop();
    },
    close: (): Promise<void> => hook.stop(),
  };
}
