import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { start } from './hookline.ts';

/** A server in a separate process, with requests like curl. */
export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string | undefined;
  readonly audit: string;
  /** The next line of its report. */
  said(event: string): Promise<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: specs look into it at many places
  ask(method: string, path: string, body?: object): Promise<{ status: number; json: any }>;
}

/** Starts `hookline serve` for the specs of a suite, and kills it after each. If one fails, it prints the log of its servers. */
export function servers(): {
  /** `known` is the token of an earlier start. */
  serve(at: string, known?: string, ...args: string[]): Promise<Served>;
} {
  const children: { readonly child: ChildProcess; readonly log: () => string }[] = [];
  afterEach(function () {
    for (const { child, log } of children.splice(0)) {
      child.kill('SIGKILL');
      if (this.currentTest?.state === 'failed') process.stderr.write(`the log of server ${child.pid}:\n${log()}\n`);
    }
  });

  async function serve(at: string, known?: string, ...args: string[]): Promise<Served> {
    const flags = ['--port', '0', '--state', join(at, 'state'), '--workspace', at, '--json', ...args];
    const child = start(['serve', ...flags], { cwd: at, env: { XDG_STATE_HOME: join(at, 'xdg') } });
    const events: Record<string, unknown>[] = [];
    let heard = (): void => {};
    let stderr = '';
    children.push({ child, log: () => stderr.replace(/hlk_[\w-]+/g, 'hlk_…') });
    child.stderr?.on('data', (bytes) => {
      stderr += bytes;
    });
    createInterface({ input: child.stdout! }).on('line', (line) => {
      events.push(JSON.parse(line));
      heard();
    });
    const said: Served['said'] = async (event) => {
      for (;;) {
        const index = events.findIndex((one) => one['event'] === event);
        if (index >= 0) return events.splice(index, 1)[0]!;
        if (child.exitCode !== null) throw new Error(`it has ended without ${event}: ${stderr}`);
        await Promise.race([
          new Promise<void>((resolve) => {
            heard = resolve;
          }),
          once(child, 'exit'),
        ]);
      }
    };
    const { url, audit } = await said('listening');
    const token = known ?? /hlk_[\w-]+/.exec(stderr)?.[0];
    return {
      child,
      url: String(url),
      audit: String(audit),
      token,
      said,
      async ask(method, path, body) {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
      },
    };
  }

  return { serve };
}

/** Asks until there is an answer. */
export async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
