import { expect } from 'chai';
import { asyncScheduler, firstValueFrom, lastValueFrom, merge, toArray } from 'rxjs';
import { HooklineError } from '../../lib/errors.ts';
import { connectProcess, type RpcConnection } from '../../lib/process-hooks/rpc-connection.ts';

interface Scene {
  readonly connection: RpcConnection;
  readonly junk: string[];
  readonly logged: string[];
  readonly requests: unknown[][];
}

const open: RpcConnection[] = [];

/** A Node program of these lines, with `say(object)` and `on(message)` for each line. */
function program(source: string, limits: { maxLine?: number; maxUnread?: number; cwd?: string } = {}): Scene {
  const frame = `
    const say = (message) => process.stdout.write((typeof message === 'string' ? message : JSON.stringify(message)) + '\\n');
    let on = () => {};
    const lines = () => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => on(JSON.parse(line)));
    ${source}`;
  const junk: string[] = [];
  const logged: string[] = [];
  const requests: unknown[][] = [];
  const connection = connectProcess(
    { command: [process.execPath, '-e', frame], env: process.env, maxLine: 1 << 24, maxUnread: 1 << 26, ...limits },
    {
      name: 'h',
      scheduler: asyncScheduler,
      request: (...message) => requests.push(message),
      junk: (_, why) => junk.push(why),
      log: (line) => logged.push(line),
    },
  );
  open.push(connection);
  return { connection, junk, logged, requests };
}

function call({ connection }: Scene, method = 'm', params: object = {}, timeoutMs = 5_000): Promise<unknown> {
  return lastValueFrom(connection.call(method, params, timeoutMs));
}

async function issue(promise: Promise<unknown>): Promise<HooklineError> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).to.be.instanceOf(HooklineError);
  return thrown as HooklineError;
}

describe('a connection to a hook process', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((connection) => connection.stop()));
  });

  it('numbers its requests from 1 and accepts replies in any order and case, without `jsonrpc`', async () => {
    const scene = program(`
      const seen = [];
      on = (message) => { seen.push(message); if (seen.length === 3) for (const { id } of seen.reverse()) say({ ID: id, Result: { id } }); };
      lines();`);
    const replies = await Promise.all([call(scene), call(scene), call(scene)]);
    expect(replies).to.deep.equal([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('sends notifications without an id', async () => {
    const scene = program(
      `let told; on = (message) => { if ('id' in message) say({ id: message.id, result: told }); else told = message; }; lines();`,
    );
    scene.connection.notify('hook.runtime_event', { kind: 'x' });
    expect(await call(scene)).to.deep.equal({ jsonrpc: '2.0', method: 'hook.runtime_event', params: { kind: 'x' } });
  });

  it('skips invalid messages and unexpected replies', async () => {
    const scene = program(
      `on = ({ id }) => { for (const line of ['hello', '', '[]', '{"id":99,"result":1}', '{"id":null,"result":1}', '{"id":-1}'] ) say(line); say({ id: String(id), result: 'yes' }); say({ id, result: 'twice' }); }; lines();`,
    );
    expect(await call(scene)).to.equal('yes');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(scene.junk).to.deep.equal([
      'not JSON',
      'not JSON',
      'not a JSON object',
      'no request is waiting for the reply 99',
      'no request ID',
      'no request ID',
      'no request is waiting for the reply 1',
    ]);
  });

  it('reports an error of a program', async () => {
    const scene = program(`on = ({ id }) => say({ id, error: { code: -1, message: 'no such thing' } }); lines();`);
    const error = await issue(call(scene));
    expect([error.code, error.message]).to.deep.equal([
      'PROCESS_FAILED',
      'Hook process "h" answered with an error: no such thing',
    ]);
  });

  it('survives errors of any shape', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const scene = program(`on = ({ id }) => say('{"id":' + id + ',"error":${deep}}'); lines();`);
    expect((await issue(call(scene))).message).to.match(/answered with an error: it has no message/);
  });

  it('times out a call and informs the program', async () => {
    const scene = program(
      `let cancelled; on = ({ id, method, params }) => { if (method === 'hook.cancel') cancelled = params; if (method === 'what') say({ id, result: cancelled }); }; lines();`,
    );
    const error = await issue(call(scene, 'slow', {}, 50));
    expect([error.code, error.message]).to.deep.equal([
      'HOOK_TIMEOUT',
      'Hook process "h" did not answer slow within 50 ms.',
    ]);
    expect(await call(scene, 'what')).to.deep.equal({ id: 1, reason: 'time-out' });
  });

  it('accepts replies of 16 MiB', async () => {
    const scene = program(`on = ({ id }) => say({ id, result: 'x'.repeat((1 << 24) - 100) }); lines();`);
    expect((await call(scene)) as string).to.have.length((1 << 24) - 100);
  });

  it('reports which reply was too long, and continues', async () => {
    const scene = program(
      `on = ({ id, method }) => say({ id, result: method === 'long' ? 'x'.repeat(5000) : 'short' }); lines();`,
      { maxLine: 1_000 },
    );
    const error = await issue(call(scene, 'long'));
    expect(error.message).to.equal('Hook process "h" wrote a line of more than 1000 characters, which was dropped.');
    expect(await call(scene, 'other')).to.equal('short');
  });

  for (const [what, source, how] of [
    ['exits', `on = () => process.exit(3); lines();`, 'exited with code 3'],
    ['is killed', `on = () => process.kill(process.pid, 'SIGKILL'); lines();`, 'was killed by SIGKILL'],
    [
      'exits in the middle of a line',
      `on = () => process.stdout.write('{"id":1,', () => process.exit(0)); lines();`,
      'exited with code 0',
    ],
    [
      'closes its output but runs on',
      `on = () => require('node:fs').closeSync(1); lines(); setInterval(() => {}, 1000);`,
      'closed its standard output',
    ],
    [
      'leaves a child with the pipe open',
      `on = () => { require('node:child_process').spawn('sleep', ['30'], { stdio: 'inherit' }); setTimeout(() => process.exit(4), 20); }; lines();`,
      'exited with code 4',
    ],
  ] as const) {
    it(`fails calls in flight at once when the program ${what}`, async () => {
      const scene = program(source);
      const error = await issue(call(scene));
      expect(error.message).to.equal(`Hook process "h" ${how}.`);
      expect(await firstValueFrom(scene.connection.ended$)).to.equal(how);
      expect((await issue(call(scene))).message).to.equal(error.message);
    });
  }

  it('reports that a program cannot be started', async () => {
    const scene = connectProcess(
      { command: ['no-such-program-at-all'], env: process.env, maxLine: 1_000, maxUnread: 1_000 },
      { name: 'h', scheduler: asyncScheduler, request() {}, junk() {}, log() {} },
    );
    const error = await issue(lastValueFrom(scene.call('m', {}, 1_000)));
    expect(error.message).to.match(/could not be started: .*ENOENT/);
  });

  it('reports it also if the system rejects the start synchronously', async () => {
    const { connection } = program('', { cwd: __filename });
    const error = await issue(lastValueFrom(connection.call('m', {}, 1_000)));
    expect(error.message).to.match(/could not be started: .*ENOTDIR/);
  });

  it('does not wait forever for a program that does not read', async () => {
    const scene = program(`setInterval(() => {}, 1000);`, { maxUnread: 1 << 20 });
    const calls = Array.from({ length: 4 }, () => scene.connection.call('m', { text: 'x'.repeat(1 << 20) }, 300));
    const answers = await Promise.all(calls.map((one) => issue(lastValueFrom(one))));
    expect(answers[3]?.message).to.equal(
      'Hook process "h" does not read its input; more than 1048576 bytes are queued.',
    );
  });

  it('does not keep the host alive for a call that could not be sent', async () => {
    const held = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = held();
    const scene = program(`setInterval(() => {}, 1000);`, { maxUnread: 1 << 20 });
    const waits = scene.connection.call('m', { text: 'x'.repeat(1 << 21) }, 300);
    const late = issue(lastValueFrom(waits));
    expect(held()).to.equal(before + 1);
    await late;
    // The program that does not read is being stopped, with separate timers.
    const stopping = held();
    expect((await issue(call(scene))).message).to.include('does not read its input');
    expect(held()).to.equal(stopping);
  });

  it('ends a program that read nothing before a timeout, because pending writes keep the host alive', async () => {
    const deaf = program(`setInterval(() => {}, 1000);`);
    const ended = lastValueFrom(deaf.connection.ended$);
    const late = await issue(lastValueFrom(deaf.connection.call('m', { text: 'x'.repeat(1 << 20) }, 300)));
    expect(late.message).to.include('did not answer m within 300 ms');
    expect(await ended).to.match(/SIGTERM/);
    const slow = program(`process.stdin.resume();`);
    await issue(lastValueFrom(slow.connection.call('m', { text: 'x'.repeat(1 << 20) }, 3_000)));
    await issue(lastValueFrom(slow.connection.call('m', {}, 300)));
    await slow.connection.stop();
    expect(await lastValueFrom(slow.connection.ended$)).to.equal('exited with code 0');
  });

  it('forwards requests of the program and answers them', async () => {
    const scene = program(
      `on = (message) => { if (message.id === 1 && message.method) { say({ id: 'own', method: 'host.log', params: { text: 'hi' } }); on = ({ id, result }) => say({ id: 1, result: [id, result] }); } }; lines();`,
    );
    const answer = call(scene);
    while (scene.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(scene.requests).to.deep.equal([['host.log', { text: 'hi' }, 'own']]);
    scene.connection.respond('own', { result: 7 });
    expect(await answer).to.deep.equal(['own', 7]);
  });

  it('logs standard error by line and survives a flood of it', async () => {
    const scene = program(
      `on = ({ id }) => { for (let i = 0; i < 20000; i++) console.error('line ' + i); say({ id, result: 1 }); }; lines();`,
    );
    expect(await call(scene)).to.equal(1);
    expect(scene.logged.slice(0, 2)).to.deep.equal(['line 0', 'line 1']);
  });

  it('ends a program by closing its input, and then by signals', async () => {
    const polite = program(`on = () => {}; lines(); process.stdin.on('end', () => { console.error('bye'); });`);
    const deaf = program(
      `process.on('SIGTERM', () => console.error('term')); setInterval(() => {}, 1000); console.error('up');`,
    );
    while (deaf.logged.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const ends = merge(polite.connection.ended$, deaf.connection.ended$).pipe(toArray());
    const ended = lastValueFrom(ends);
    await Promise.all([polite.connection.stop(), deaf.connection.stop()]);
    expect([...(await ended)].sort()).to.deep.equal(['exited with code 0', 'was killed by SIGKILL']);
    expect(polite.logged).to.deep.equal(['bye']);
    expect(deaf.logged).to.deep.equal(['up', 'term']);
  });
});
