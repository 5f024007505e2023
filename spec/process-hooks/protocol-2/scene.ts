import { pino } from 'pino';
import { type ProcessHook, type ProcessHookOptions, processHook } from '../../../lib/process-hooks/index.ts';

/**
 * A client of protocol 2: `call` sends a request to the host, `tell` a notification, `methods` answer the host, and `note` is visible to the spec.
 */
const CLIENT = `
  const waiting = new Map();
  let last = 0;
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const call = (method, params) =>
    new Promise((resolve) => { const id = 'own-' + ++last; waiting.set(id, resolve); say({ id, method, params }); });
  const tell = (method, params) => say({ method, params });
  const note = (value) => console.error(JSON.stringify(value));
  const methods = { 'hook.hello': () => ({ protocol: 2 }), 'hook.approve_tool': () => ({ approved: true }) };
  require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === undefined) return waiting.get(id)(error ?? result);
    const answer = await methods[method]?.(params);
    if (id !== undefined && answer !== null) say({ id, result: answer ?? {} });
  });
`;

/** A process hook with a client of protocol 2 and `source` after it. */
export function clientScene(source: string, options: Partial<ProcessHookOptions> = {}) {
  const notes: unknown[] = [];
  const logged: { level: number; msg: string; [member: string]: unknown }[] = [];
  const log = pino(
    { level: 'trace' },
    {
      write(line: string) {
        const record = JSON.parse(line);
        if (typeof record.stderr === 'string' && /^[[{"\d]/.test(record.stderr)) notes.push(JSON.parse(record.stderr));
        else logged.push(record);
      },
    },
  );
  const hook: ProcessHook = processHook({
    name: 'remote',
    command: [process.execPath, '-e', CLIENT + source],
    intercept: ['before_tool'],
    log,
    ...options,
    timeouts: { helloMs: 30_000, interceptorMs: 30_000, approvalMs: 30_000, ...options.timeouts },
  });
  return { hook, notes, logged };
}
