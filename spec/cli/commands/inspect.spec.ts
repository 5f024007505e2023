import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { folder, hookline, type Outcome, outcomeOf, start } from '../hookline.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The page that a process has named, asked as a browser would. */
interface Page {
  readonly child: ChildProcess;
  readonly address: string;
  readonly ended: Promise<Outcome>;
  // biome-ignore lint/suspicious/noExplicitAny: specs look into it at many places
  ask(method: string, path: string, body?: object): Promise<{ status: number; text: string; json: any }>;
}

async function open(args: readonly string[], cwd: string): Promise<Page> {
  const child = start(args, { cwd, env: { XDG_STATE_HOME: join(cwd, 'xdg') } });
  children.push(child);
  const ended = outcomeOf(child);
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (bytes) => {
        said += bytes;
        const [found] = /http:\/\/\S+#token=\S+(?=\n)/.exec(said) ?? [];
        if (found) resolve(found);
      });
    void ended.then(({ stderr }) => reject(new Error(`it has ended: ${stderr}`)));
  });
  const { origin, hash } = new URL(address);
  const authorization = `Bearer ${new URLSearchParams(hash.slice(1)).get('token')}`;
  return {
    child,
    address,
    ended,
    async ask(method, path, body) {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, json: /^[{[]/.test(text) ? JSON.parse(text.split('\n')[0]!) : undefined };
    },
  };
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const waiting = ({ ask }: Page) => until(async () => (await ask('GET', '/api/approvals')).json.approvals[0]);

describe('hookline run --inspect', () => {
  it('shows the run while it goes, and takes an answer to its question there', async () => {
    const at = folder({ 'notes.txt': 'x' });
    const page = await open(['run', 'delete notes.txt', '--inspect'], at);
    expect((await page.ask('GET', '/')).text).to.include('<!doctype html>');
    const call = await waiting(page);
    expect(call).to.include({ tool: 'delete_file', by: 'dangerous-confirmation', inside: true });
    const events = await page.ask('GET', `/api/runs/${call.runId}/recording`);
    expect(events.json).to.include({ format: 'hookline-recording' });
    await page.ask('POST', `/api/approvals/${call.id}`, { action: 'approve', hash: call.hash });
    expect((await page.ended).code).to.equal(0);
    expect(existsSync(join(at, 'notes.txt'))).to.equal(false);
  });

  it('denies what waits when the process is told to end', async () => {
    const at = folder({ 'notes.txt': 'x' });
    const page = await open(['run', 'delete notes.txt', '--inspect'], at);
    await waiting(page);
    page.child.kill('SIGINT');
    expect((await page.ended).code).to.equal(130);
    expect(existsSync(join(at, 'notes.txt'))).to.equal(true);
  });

  it('lets the page cancel the run', async () => {
    const at = folder({ 'notes.txt': 'x' });
    const page = await open(['run', 'delete notes.txt', '--inspect'], at);
    const { runId } = await waiting(page);
    expect((await page.ask('POST', `/api/runs/${runId}/cancel`)).status).to.equal(200);
    const { stdout } = await page.ended;
    expect(stdout).to.include('cancelled');
    expect(existsSync(join(at, 'notes.txt'))).to.equal(true);
  });
});

describe('hookline inspect', () => {
  it('serves agents, and names its page with a token that ends with it', async () => {
    const at = folder({ 'a.txt': 'x' });
    const args = ['inspect', '--port', '0', '--state', join(at, 'state'), '--workspace', at];
    const page = await open(args, at);
    const { status, json } = await page.ask('POST', '/api/runs', { prompt: 'read a.txt' });
    expect(status).to.equal(201);
    const told = await page.ask('GET', `/api/runs/${json.runId}/events`);
    expect(told.text).to.include('event: trace').and.include('event: postCall');
    expect((await page.ask('GET', '/api/hooks/statistics')).json.hooks[0].ran).to.be.greaterThan(0);
    page.child.kill('SIGTERM');
    expect((await page.ended).code).to.equal(0);
    const listed = await hookline(['token', 'list', '--state', join(at, 'state')]);
    expect(listed.stdout).to.not.include('inspect');
  });

  it('shows recorded runs, and nothing can be changed there', async () => {
    const config = { hooks: { recorder: { type: 'recorder', options: { folder: 'runs' } } } };
    const at = folder({ 'c.json': JSON.stringify(config), 'a.txt': 'x' });
    await hookline(['run', 'read a.txt', '--config', 'c.json'], { cwd: at });
    const [file = ''] = readdirSync(join(at, 'runs'));
    const page = await open(['inspect', join('runs', file)], at);
    expect(page.address).to.match(/&go=\/recordings\/1$/);
    const { json } = await page.ask('GET', '/api/recordings');
    expect(json.recordings).to.have.lengthOf(1);
    expect(json.recordings[0]).to.include({ id: '1', name: file });
    const { text } = await page.ask('GET', '/api/recordings/1');
    expect(text.split('\n').length).to.be.greaterThan(5);
    expect(text).to.include('"type":"postCall"');
    expect((await page.ask('GET', '/api/recordings/2')).status).to.equal(404);
    expect((await page.ask('POST', '/api/hooks/reload', {})).status).to.equal(403);
    page.child.kill('SIGTERM');
    expect((await page.ended).code).to.equal(0);
  });

  it('says what is wrong with a recording before it serves anything', async () => {
    const at = folder({
      'empty.jsonl': '',
      'prose.txt': 'It was late.\n',
      'other.jsonl': '{"a":1}\n',
      'newer.jsonl': '{"format":"hookline-recording","version":9,"events":1}\n',
    });
    const faults = {
      'empty.jsonl': 'it is empty',
      'prose.txt': 'its first line is not JSON',
      'other.jsonl': 'is not the head of a recording',
      'newer.jsonl': 'it has version 9 with events of version 1, and this Hookline reads 1 with 1',
      'missing.jsonl': 'ENOENT',
      '.': 'it is not a file',
    };
    for (const [file, fault] of Object.entries(faults)) {
      const { code, stderr } = await hookline(['inspect', file], { cwd: at });
      expect([code, stderr], file).to.deep.equal([2, stderr]);
      expect(stderr, file).to.include(`The recording "${file}" cannot be shown`).and.include(fault);
    }
  });

  it('says which options have no effect on recordings', async () => {
    const { code, stderr } = await hookline(['inspect', 'a.jsonl', '--config', 'c.json']);
    expect([code, stderr]).to.deep.equal([2, 'error: --config has no effect on recordings, which are only shown.\n']);
  });
});
