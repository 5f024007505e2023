import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { folder, start } from '../hookline.ts';
import { warmHookline as hookline } from '../warm-command.ts';

interface Served {
  readonly child: ChildProcess;
  readonly token: string | undefined;
  stderr(): string;
  // biome-ignore lint/suspicious/noExplicitAny: specs look into it at many places
  ask(method: string, path: string, token?: string, body?: object): Promise<{ status: number; json: any }>;
}

const config = {
  model: 'offline',
  hooks: { ask: { type: 'permission', options: { default: 'ask', askBy: 'suspend' } } },
};

describe('the state of a server', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const xdg = folder();
  const env = { XDG_STATE_HOME: xdg };
  const project = (file: string) => realpathSync(folder({ [file]: 'text', 'hookline.json': JSON.stringify(config) }));

  async function serve(at: string, ...args: string[]): Promise<Served> {
    const flags = ['serve', '--config', 'hookline.json', '--port', '0', '--json', ...args];
    const child = start(flags, { cwd: at, env });
    children.push(child);
    let stderr = '';
    child.stderr?.on('data', (bytes) => {
      stderr += bytes;
    });
    const [line] = await Promise.race([
      once(createInterface({ input: child.stdout! }), 'line'),
      once(child, 'exit').then(() => Promise.reject(new Error(stderr))),
    ]);
    const { url } = JSON.parse(line);
    // The lines after that are printed at once.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const token = /hlk_[\w-]+/.exec(stderr)?.[0];
    return {
      child,
      token,
      stderr: () => stderr,
      async ask(method, path, by = token, body) {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { authorization: `Bearer ${by}`, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        });
        return { status: response.status, json: await response.json() };
      },
    };
  }

  /** A run in A that waits for approval. */
  async function suspended(server: Served, prompt: string) {
    const { status } = await server.ask('POST', '/api/runs', undefined, { prompt });
    expect(status).to.equal(201);
    for (;;) {
      const { approvals } = (await server.ask('GET', '/api/approvals')).json;
      if (approvals.length > 0) return approvals[0];
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function stop(child: ChildProcess): Promise<void> {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  it('has separate tokens, runs and approvals for each workspace', async () => {
    const [a, b] = [project('A.txt'), project('B.txt')];
    const inA = await serve(a);
    expect(inA.token, inA.stderr()).to.be.a('string');
    const approval = await suspended(inA, 'delete A.txt');
    expect(approval).to.deep.include({ workspace: a, configuration: [join(a, 'hookline.json')] });
    const inB = await serve(b);
    expect(inB.token, 'the first start of each prints its token').to.be.a('string');
    expect((await inB.ask('GET', '/api/approvals', inA.token)).status).to.equal(401);
    expect((await inB.ask('GET', '/api/approvals')).json.approvals).to.deep.equal([]);
    expect((await inB.ask('GET', '/api/runs')).json.runs).to.deep.equal([]);
    await stop(inA.child);
    const again = await serve(a);
    expect(again.token, 'a later start prints none').to.equal(undefined);
    expect((await again.ask('GET', '/api/approvals', inA.token)).json.approvals).to.have.lengthOf(1);

    const issued = await hookline(['token', 'issue', '--user', 'ann'], { cwd: b, env });
    expect((await inB.ask('GET', '/api/me', issued.stdout.trim())).status).to.equal(200);
    expect((await again.ask('GET', '/api/me', issued.stdout.trim())).status).to.equal(401);
    const listed = await hookline(['token', 'list', '--workspace', a], { cwd: b, env });
    expect(listed.stdout.trim().split('\n')).to.have.lengthOf(1);
    expect(readdirSync(join(xdg, 'hookline')).every((name) => /-[0-9a-f]{8}$/.test(name))).to.equal(true);
  });

  it('rejects resumption in another workspace that shares the directory, and warns both servers', async () => {
    const [a, b, state] = [project('A.txt'), project('B.txt'), folder()];
    const inA = await serve(a, '--state', state);
    const approval = await suspended(inA, 'delete A.txt');
    const inB = await serve(b, '--state', state);
    expect(inB.stderr()).to.match(/another server uses this state directory: process \d+ on .*, for the workspace /);
    expect(inB.stderr()).to.include(a);
    const [shown] = (await inB.ask('GET', '/api/approvals', inA.token)).json.approvals;
    expect(shown.workspace).to.equal(a);
    for (const action of ['approve', 'deny']) {
      const body = { action, hash: approval.hash };
      const { status, json } = await inB.ask('POST', `/api/approvals/${approval.id}`, inA.token, body);
      expect(status).to.equal(409);
      expect(json.error.message).to.include(a).and.include(b);
    }
    expect(existsSync(join(a, 'A.txt'))).to.equal(true);
    await stop(inB.child);
    const approve = { action: 'approve', hash: approval.hash };
    expect((await inA.ask('POST', `/api/approvals/${approval.id}`, inA.token, approve)).status).to.equal(200);
    await stop(inA.child);
    const alone = await serve(a, '--state', state);
    expect(alone.stderr()).not.to.include('another server');
  });
});
