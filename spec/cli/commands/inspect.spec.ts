import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { answerOf, clientOf, handMade, reply, said } from '../../adapters/mcp/http/over-http.ts';
import { type Frame, framesOf } from '../../server/sse-frames.ts';
import { command, environment, folder, type Outcome, outcomeOf, root, start } from '../hookline.ts';
import { warmHookline } from '../warm-command.ts';

/** A hook that suspends the run for its first call. */
const ASKS = `const { defineHook, verdict } = require('hookline');
  module.exports = defineHook({ name: 'asks', approve: () => verdict.suspend('Read it?') });`;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The page URL that a process printed, requested like a browser. */
interface Page {
  readonly child: ChildProcess;
  readonly address: string;
  readonly ended: Promise<Outcome>;
  /** Resolves when its output contains the text. */
  shown(text: RegExp): Promise<string>;
  /** Follows activities. `next` is the first activity of that type from now on. */
  follow(type: string): Promise<{ readonly next: Promise<Frame> }>;
  // biome-ignore lint/suspicious/noExplicitAny: specs look into it at many places
  ask(method: string, path: string, body?: object): Promise<{ status: number; text: string; json: any }>;
}

/** `terminal`: runs in a separate pseudo-terminal, where all output is stdout. */
async function open(args: readonly string[], cwd: string, terminal = false): Promise<Page> {
  const at = { cwd, env: { XDG_STATE_HOME: join(cwd, 'xdg') } };
  const line = `exec ${[...command, ...args].map((word) => `'${word}'`).join(' ')}`;
  const child = terminal
    ? spawn('script', ['-qec', line, '/dev/null'], { ...at, stdio: 'pipe', env: environment(at.env) })
    : start(args, at);
  children.push(child);
  const ended = outcomeOf(child);
  let said = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (bytes) => {
      said += bytes;
    });
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const shown = (text: RegExp) =>
    until(async () => {
      const [found] = text.exec(said) ?? [];
      if (over && !found) throw new Error(`it has ended without ${text}: ${said}`);
      return found;
    });
  const address = await shown(/http:\/\/\S+#token=\S+(?=\r?\n)/);
  const { origin, hash } = new URL(address);
  const authorization = `Bearer ${new URLSearchParams(hash.slice(1)).get('token')}`;
  return {
    child,
    address,
    ended,
    shown,
    async follow(type) {
      const { body } = await fetch(`${origin}/api/activity`, { headers: { authorization } });
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      const first = (name: string) =>
        until(async () => {
          const frames = framesOf(text.slice(0, text.lastIndexOf('\n\n') + 2));
          const found = frames.find(({ event }) => event === name);
          if (found) return found;
          const { value, done } = await reader.read();
          if (done) throw new Error(`no ${name}: ${text}`);
          text += value;
          return undefined;
        });
      // Earlier activities are not reported.
      await first('ready');
      return { next: first(type) };
    },
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
  it('shows a running run and accepts an answer to its prompt', async () => {
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

  it('denies pending calls when the process is stopped', async () => {
    const at = folder({ 'notes.txt': 'x' });
    const page = await open(['run', 'delete notes.txt', '--inspect'], at);
    await waiting(page);
    page.child.kill('SIGINT');
    expect((await page.ended).code).to.equal(130);
    expect(existsSync(join(at, 'notes.txt'))).to.equal(true);
  });

  it('shows the events of a pending call for any user of the run', async () => {
    const at = folder({ 'notes.txt': 'x' });
    const page = await open(['run', 'delete notes.txt', '--inspect', '--user', 'bob'], at);
    const { id, runId } = await waiting(page);
    expect((await page.ask('GET', `/api/runs/${runId}`)).json).to.include({ state: 'running' });
    await until(async () => (await page.ask('GET', `/api/approvals/${id}`)).json.events.length > 0 || undefined);
    page.child.kill('SIGTERM');
    await page.ended;
  });

  it('lets the page answer a suspended run and resumes it', async () => {
    const at = folder({ 'a.txt': 'hello', 'asks.cjs': ASKS });
    const page = await open(['run', 'read a.txt', '--inspect', '--hooks', './asks.cjs', '--json'], at);
    const call = await waiting(page);
    expect(call).to.include({ tool: 'read_file', by: 'asks', prompt: 'Read it?' });
    const said = await page.ask('POST', `/api/approvals/${call.id}`, { action: 'approve', hash: call.hash });
    expect(said.json).to.include({ status: 'resumed', runId: call.runId });
    const ended = await page.ended;
    expect([ended.code, ended.stderr]).to.deep.equal([0, ended.stderr]);
    expect(ended.stdout).to.include('"outcome":"executed"');
    expect(ended.stderr).to.match(/Approved in the web UI by .+\./);
  });

  it('ends a suspended run that is cancelled on the page', async () => {
    const at = folder({ 'a.txt': 'hello', 'asks.cjs': ASKS });
    const page = await open(['run', 'read a.txt', '--inspect', '--hooks', './asks.cjs'], at);
    const { runId } = await waiting(page);
    expect((await page.ask('POST', `/api/runs/${runId}/cancel`)).json).to.include({ outcome: 'cancelled' });
    expect((await page.ended).code).to.equal(4);
  });

  describe('on a terminal', () => {
    before(function () {
      if (spawnSync('script', ['--version']).stdout?.includes('util-linux')) return;
      console.log('      passed over: there is no `script` of util-linux to make a pseudo-terminal with');
      this.skip();
    });

    const questions = {
      'of an active run': { files: { 'notes.txt': 'x' }, args: ['delete notes.txt'], says: '"outcome":"executed"' },
      'of a suspended run': {
        files: { 'a.txt': 'hello', 'asks.cjs': ASKS },
        args: ['read a.txt', '--hooks', './asks.cjs'],
        says: '"outcome":"executed"',
      },
    };
    for (const [which, { files, args, says }] of Object.entries(questions)) {
      it(`accepts an answer to a call ${which}, and reports it to the page`, async () => {
        const at = folder(files);
        const page = await open(['run', ...args, '--inspect', '--json'], at, true);
        const call = await waiting(page);
        const answered = await page.follow('answered');
        await page.shown(/\[y\/N, e: edit\]/);
        page.child.stdin?.write('y\n');
        const { data } = await answered.next;
        expect(data).to.include({ id: call.id, action: 'approve', by: `${userInfo().username} on the terminal` });
        const late = await page.ask('POST', `/api/approvals/${call.id}`, { action: 'deny', hash: call.hash });
        expect([late.status, late.json.winner?.by]).to.deep.equal([409, `${userInfo().username} on the terminal`]);
        await page.shown(/The web UI stays/);
        page.child.stdin?.write('\u0003');
        expect((await page.ended).stdout).to.include(says);
      });

      it(`reports an answer from the page to a call ${which}, and an edit`, async () => {
        const at = folder(files);
        const page = await open(['run', ...args, '--inspect', '--json'], at, true);
        const call = await waiting(page);
        await page.shown(/\[y\/N, e: edit\]/);
        const { input, hash } = call;
        await page.ask('POST', `/api/approvals/${call.id}`, {
          action: 'approve',
          hash,
          input: { ...input, path: `./${input.path}` },
        });
        await page.shown(/Approved with edited arguments in the web UI by /);
        await page.shown(/The approval prompt is retracted/);
        await page.shown(/The web UI stays/);
        page.child.stdin?.write('\u0003');
        expect((await page.ended).stdout).to.include(says);
      });
    }
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
  it('ends when its terminal closes', async () => {
    const at = folder({ 'a.txt': 'x', 'run.jsonl': '' });
    const page = await open(['inspect', '--port', '0', '--state', join(at, 'state'), '--workspace', at], at);
    page.child.kill('SIGHUP');
    const { code, stdout } = await page.ended;
    expect([code, /ended/.test(stdout)], stdout).to.deep.equal([0, true]);
    const listed = await warmHookline(['token', 'list', '--state', join(at, 'state')]);
    expect(listed.stdout).to.not.include('inspect');
  });

  it('serves agents and prints a page URL with a temporary token', async () => {
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
    const listed = await warmHookline(['token', 'list', '--state', join(at, 'state')]);
    expect(listed.stdout).to.not.include('inspect');
  });

  it('asks once about a call that several hooks of the starter configuration ask about', async () => {
    const at = folder({ 'notes.txt': 'x' });
    expect((await warmHookline(['init'], { cwd: at })).code).to.equal(0);
    const args = ['inspect', '--port', '0', '--state', join(at, 'state'), '--workspace', at];
    const page = await open([...args, '--config', 'hookline.yaml'], at);
    const { json: run } = await page.ask('POST', '/api/runs', { prompt: 'delete notes.txt' });
    const call = await waiting(page);
    expect(call.asks.map(({ by }: { by: string }) => by)).to.deep.equal(['dangerous-confirmation', 'permission']);
    expect(call.prompt.match(/^ {2}(Dangerous|Reason|Arguments): /gm)).to.have.length(3);
    const answered = await page.ask('POST', `/api/approvals/${call.id}`, { action: 'approve', hash: call.hash });
    expect(answered.json).to.include({ status: 'resumed', runId: run.runId });
    const { text } = await page.ask('GET', `/api/runs/${answered.json.resumedBy}/events`);
    expect(text).to.include('"outcome":"completed"');
    expect((await page.ask('GET', '/api/approvals')).json.approvals).to.deep.equal([]);
    expect(existsSync(join(at, 'notes.txt'))).to.equal(false);
    page.child.kill('SIGTERM');
    await page.ended;
  });

  it('shows recorded runs read-only', async () => {
    const config = { hooks: { recorder: { type: 'recorder', options: { folder: 'runs' } } } };
    const at = folder({ 'c.json': JSON.stringify(config), 'a.txt': 'x' });
    await warmHookline(['run', 'read a.txt', '--config', 'c.json'], { cwd: at });
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

  it('replays recordings with the hooks of a configuration, and again if they grow', async () => {
    const config = { hooks: { recorder: { type: 'recorder', options: { folder: 'runs' } } } };
    const stricter = { hooks: { rules: { type: 'permission', options: { deny: ['read_file'] } } } };
    const at = folder({ 'c.json': JSON.stringify(config), 'new.json': JSON.stringify(stricter), 'a.txt': 'x' });
    await warmHookline(['run', 'read a.txt', '--config', 'c.json'], { cwd: at });
    const [name = ''] = readdirSync(join(at, 'runs'));
    const file = join(at, 'runs', name);
    const page = await open(['inspect', 'runs', '--config', 'new.json'], at);
    const [{ id }] = (await page.ask('GET', '/api/recordings')).json.recordings;
    const replayed = async () => page.ask('GET', `/api/recordings/${id}/replay`);
    const { json } = await replayed();
    const [{ differences, recorded, replayed: events }] = json.runs;
    expect(differences[0]).to.include({ type: 'preActing', path: 'decision', hook: 'rules' });
    const types = (reports: readonly { event: { type: string } }[]) => reports.map(({ event }) => event.type);
    expect(types(recorded)).to.include('preActing').and.not.include('reasoningChunk');
    expect(types(events)).to.include('preActing').and.not.include('reasoningChunk');
    expect(json.hooks).to.deep.include({ name: 'rules', change: 'added' });
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('\n', '\nnonsense\n'));
    const broken = await replayed();
    expect([broken.status, broken.json.error.message]).to.satisfy(
      ([status, message]: [number, string]) => status === 422 && /line 2/.test(message),
    );
    writeFileSync(file, text + ' '.repeat(20_000_000));
    const large = await replayed();
    expect([large.status, large.json.error.message]).to.deep.equal([
      413,
      `${name} has 21 MB; the web UI replays at most 20 MB. Use hookline replay on the command line.`,
    ]);
    expect((await page.ask('GET', '/api/recordings/none/replay')).status).to.equal(404);
    page.child.kill('SIGTERM');
    expect((await page.ended).code).to.equal(0);
  });

  it('reports invalid recordings before it serves anything', async () => {
    const at = folder({
      'empty.jsonl': '',
      'prose.txt': 'It was late.\n',
      'other.jsonl': '{"a":1}\n',
      'newer.jsonl': '{"format":"hookline-recording","version":9,"events":1}\n',
    });
    const issues = {
      'empty.jsonl': 'it is empty',
      'prose.txt': 'its first line is not JSON',
      'other.jsonl': 'is not the header of a recording',
      'newer.jsonl':
        'it has version 9 with events of version 1; this Hookline reads version 1 with events of version 1',
      'missing.jsonl': 'ENOENT',
    };
    for (const [file, issue] of Object.entries(issues)) {
      const { code, stderr } = await warmHookline(['inspect', file], { cwd: at });
      expect([code, stderr], file).to.deep.equal([2, stderr]);
      expect(stderr, file).to.include(`Cannot open the recording "${file}"`).and.include(issue);
    }
  });

  it('reports options without effect on recordings', async () => {
    const { code, stderr } = await warmHookline(['inspect', 'a.jsonl', '--model', 'offline']);
    expect([code, stderr]).to.deep.equal([2, 'error: --model has no effect on recordings. Remove it.\n']);
  });
});

describe('hookline mcp --inspect', () => {
  it('shows the calls of a client as a run and answers pending ones', async () => {
    const rules = 'hooks:\n  rules: { type: permission, options: { allow: [echo] } }\n';
    const cwd = folder({ 'hookline.yaml': rules });
    const server = ['--', process.execPath, join(root, 'spec/fixtures/mcp/plain-server.mjs')];
    const page = await open(['mcp', '--inspect', '--config', 'hookline.yaml', ...server], cwd);
    const send = (id: number, method: string, params: object) =>
      page.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    send(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    send(2, 'tools/call', { name: 'echo', arguments: { text: 'free' } });
    send(3, 'tools/call', { name: 'strange', arguments: {} });
    send(4, 'tools/call', { name: 'look', arguments: {} });
    const waiting = await until(async () => {
      const { approvals } = (await page.ask('GET', '/api/approvals')).json;
      return approvals.length === 2 ? (approvals as { tool: string; id: string; hash: string }[]) : undefined;
    });
    for (const { tool, id, hash } of waiting) {
      const action = tool === 'strange' ? 'approve' : 'deny';
      expect((await page.ask('POST', `/api/approvals/${id}`, { action, hash })).status).to.equal(200);
    }
    await page.shown(/"id":3.*strange/);
    await page.shown(/"id":4.*"isError":true|"isError":true.*"id":4/);
    const { runs } = (await page.ask('GET', '/api/runs')).json;
    expect((await page.ask('GET', '/api/me')).json.starts, 'no prompt box').to.equal(false);
    expect(runs).to.have.length(1);
    page.child.stdin?.end();
    expect((await page.ended).code).to.equal(0);
  });

  it('lets the page cancel one run, which denies later calls of that client only', async () => {
    let slow: (() => void) | undefined;
    const server = await handMade((message, response) => {
      if (message.params.arguments.text !== 'slow') return reply(response, message, said('done'));
      slow = () => response.destroy();
    });
    const page = await open(['mcp', '--inspect', '--url', server.url, '--listen', '127.0.0.1:0'], folder());
    const [, url = ''] = /listening: (\S+)/.exec(await page.shown(/listening: \S+\n/)) ?? [];
    const [one, other] = [clientOf(url, {}), clientOf(url, {})];
    for (const client of [one, other]) await client.start();
    const answers = async (client: typeof one, text: string) =>
      (await answerOf(await client.call('echo', { text }))).result as {
        isError?: boolean;
        content: { text: string }[];
      };
    expect((await answers(other, 'a')).content[0]?.text).to.equal('done');
    const cut = answers(one, 'slow');
    await until(async () => slow);
    const list = async () => (await page.ask('GET', '/api/runs')).json.runs as { runId: string; state: string }[];
    // The newest is first.
    const [newest] = await until(async () => ((await list()).length === 2 ? list() : undefined));
    const runId = newest?.runId;
    expect((await page.ask('POST', `/api/runs/${runId}/cancel`)).status).to.equal(200);
    expect(await cut).to.include({ isError: true });
    expect(await answers(one, 'b')).to.include({ isError: true });
    expect((await answers(other, 'c')).content[0]?.text).to.equal('done');
    const idle = (await list()).find((run) => run.state === 'running')?.runId;
    expect((await page.ask('POST', `/api/runs/${idle}/cancel`)).status).to.equal(200);
    await until(async () => (await list()).every(({ state }) => state !== 'running') || undefined);
    await until(async () => (await list()).find((run) => run.runId === runId && run.state !== 'running'));
    expect(server.of('tools/call')).to.have.length(3);
    page.child.kill('SIGTERM');
    expect((await page.ended).code).to.equal(143);
    slow?.();
    await server.close();
  });
});
