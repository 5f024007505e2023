import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ToolItem } from '../../../lib/pipeline/define/tool.ts';
import { type RunCommandOptions, runCommandTool } from '../../../lib/tools/command/run-command.ts';
import { callTool, fakeContext, fits } from '../call-tool.ts';
import { rejection } from '../rejection.ts';
import { makeSandbox, type Sandbox } from '../sandbox.ts';

describe('run_command', () => {
  let sandbox: Sandbox;
  let before: Set<string>;

  // What a command can leave open: folders of the sandbox, and the Unix sockets of its outputs.
  // Other specs may still open and close descriptors of other kinds.
  function opened(): string[] {
    const unix = readFileSync('/proc/net/unix', 'utf8');
    return readdirSync('/dev/fd').flatMap((fd) => {
      try {
        const target = readlinkSync(`/dev/fd/${fd}`);
        const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
        return target.startsWith(sandbox.root) || (inode && unix.includes(` ${inode}`)) ? [target] : [];
      } catch {
        return [];
      }
    });
  }

  beforeEach(() => {
    sandbox = makeSandbox();
    before = new Set(opened());
  });
  afterEach(async () => {
    const left = () => opened().filter((target) => !before.has(target));
    for (let tries = 0; left().length > 0 && tries < 40; tries += 1) await sleep(25);
    expect(left(), 'descriptors left open').to.deep.equal([]);
    sandbox.remove();
  });

  const tool = (options: Partial<RunCommandOptions> = {}) => runCommandTool({ root: sandbox.root, ...options });
  const run = (command: string, options: Partial<RunCommandOptions> & { signal?: AbortSignal } = {}) =>
    callTool(tool(options), { command }, options.signal);

  function stream(command: string): AsyncIterator<ToolItem> {
    const items = tool().execute({ command }, fakeContext()) as AsyncIterable<ToolItem>;
    return items[Symbol.asyncIterator]();
  }

  // The process whose id a command wrote to the file `name`.
  function alive(name = 'pid'): boolean {
    const state = /^State:\s+(\w)/m;
    const file = `/proc/${readFileSync(join(sandbox.root, name), 'utf8').trim()}/status`;
    return existsSync(file) && state.exec(readFileSync(file, 'utf8'))?.[1] !== 'Z';
  }

  async function appeared(name: string): Promise<void> {
    while (!existsSync(join(sandbox.root, name))) await sleep(5);
  }

  it('runs in the workspace and reports how it ended', async () => {
    expect(await run('pwd; echo oops >&2')).to.deep.include({ isError: false });
    expect((await run('pwd')).content).to.equal(`${sandbox.root}\n[Exit code 0.]`);
    expect((await run('printf x')).content).to.equal('x\n[Exit code 0.]');
    expect((await run('true')).content).to.equal('[Exit code 0.]');
  });

  it('returns an error with the output for a non-zero exit and for a signal', async () => {
    const failed = await run('echo out; echo err >&2; exit 3');
    expect(failed.isError).to.equal(true);
    expect(failed.content)
      .to.contain('out\n')
      .and.contain('err\n')
      .and.match(/\[Exit code 3\.\]$/);
    expect(await run('kill -9 $$')).to.deep.include({ content: '[Ended by SIGKILL.]', isError: true });
  });

  it('streams both outputs while the command runs', async () => {
    const heard = (nth: number) => `until [ -e ${nth} ]; do sleep 0.01; done`;
    const items = stream(`echo one; ${heard(1)}; echo two >&2; ${heard(2)}; echo three; sleep 60`);
    for (const [index, line] of ['one\n', 'two\n', 'three\n'].entries()) {
      expect((await items.next()).value).to.equal(line);
      writeFileSync(join(sandbox.root, String(index + 1)), '');
    }
    await items.return?.();
  });

  it('joins characters that arrive in pieces', async () => {
    const { chunks, content } = await run(
      `printf '\\360\\237'; sleep 0.1; printf '\\221\\251'; sleep 0.1; printf '\\303'`,
    );
    expect(chunks).to.deep.equal(['👩', '\uFFFD']);
    expect(content).to.match(/^👩\uFFFD/);
  });

  it('gives the command no input', async () => {
    expect((await run('cat; echo done')).content).to.equal('done\n[Exit code 0.]');
  });

  it('passes no secrets of the environment except allowed ones', async () => {
    Object.assign(process.env, { SPEC_API_KEY: 'hush-1', SPEC_TOKEN: 'hush-2', SPEC_PLAIN: 'plain' });
    try {
      const env = { allow: ['SPEC_TOKEN'], extra: { ADDED: 'added' } };
      expect((await run('env')).content)
        .to.contain('SPEC_PLAIN=plain')
        .and.not.contain('hush');
      expect((await run('env', { env })).content)
        .to.contain('hush-2')
        .and.contain('ADDED=added')
        .and.not.contain('hush-1');
    } finally {
      for (const name of ['SPEC_API_KEY', 'SPEC_TOKEN', 'SPEC_PLAIN']) delete process.env[name];
    }
  });

  it('stops the whole group on timeout and keeps the output', async () => {
    const result = await run('echo before; sleep 60 & echo $! > pid; wait', { timeoutMs: 200 });
    expect(result.content).to.match(/^before\n\[Stopped after 200 ms\. .*Ended by SIGTERM\.\]$/);
    expect(result.isError).to.equal(true);
    expect(alive()).to.equal(false);
  });

  it('lets the model select a timeout', async () => {
    const { content } = await callTool(tool(), { command: 'sleep 60', timeoutMs: 100 });
    expect(content).to.contain('Stopped after 100 ms');
  });

  it('kills a process that ignores SIGTERM after two seconds', async () => {
    const stubborn = `trap 'echo heard' TERM; echo $$ > pid; while :; do sleep 0.05; done`;
    const { content } = await run(stubborn, { timeoutMs: 100 });
    expect(content).to.contain('heard').and.contain('Ended by SIGKILL');
    expect(alive()).to.equal(false);
  });

  it('stops the whole group when it is cancelled, even while it prints nothing', async () => {
    const controller = new AbortController();
    const running = run('sleep 60 & echo $! > pid; wait', { signal: controller.signal });
    await appeared('pid');
    controller.abort(new Error('cancelled'));
    expect((await rejection(running)).message).to.equal('cancelled');
    expect(alive()).to.equal(false);
  });

  it('stops the whole group when the consumer returns during a wait', async () => {
    const items = stream('sleep 60 & echo $! > pid; wait');
    const waiting = items.next();
    await appeared('pid');
    await items.return?.();
    expect(alive()).to.equal(false);
    expect(await waiting).to.deep.equal({ done: true, value: undefined });
  });

  it('starts nothing if it was cancelled before or is never read', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));
    expect((await rejection(run('touch started', { signal }))).message).to.equal('cancelled');
    await stream('touch started').return?.();
    await sleep(50);
    expect(readdirSync(sandbox.root)).to.deep.equal([]);
  });

  it('stops on timeout even if its consumer stopped reading', async () => {
    const items = tool({ timeoutMs: 200 }).execute({ command: 'echo $$ > pid; exec yes' }, fakeContext());
    const iterator = (items as AsyncIterable<ToolItem>)[Symbol.asyncIterator]();
    await iterator.next();
    await sleep(400);
    expect(alive()).to.equal(false);
    await iterator.return?.();
  });

  it('stops background processes when the shell has ended', async () => {
    const { content } = await run('sleep 60 & echo $! > pid; echo done');
    expect(content).to.equal('done\n[Exit code 0.]');
    expect(alive()).to.equal(false);
  });

  it('does not wait for a process that left the group and keeps the output open', async () => {
    const { content } = await run(
      `setsid sh -c 'echo $$ > pid; exec sleep 600' & while [ ! -s pid ]; do sleep 0.01; done; echo done`,
      {},
    );
    expect(content).to.equal('done\n[Exit code 0.]');
    expect(alive(), 'it goes on').to.equal(true);
    process.kill(Number(readFileSync(join(sandbox.root, 'pid'), 'utf8')));
  });

  it('waits for a command that closed its outputs', async () => {
    expect((await run('exec >&- 2>&-; sleep 0.2; exit 4')).content).to.equal('[Exit code 4.]');
  });

  it('stops endless output at the limit, with constant memory', async () => {
    const before = process.memoryUsage().rss;
    const { content, chunks, isError } = await run('echo $$ > pid; exec yes', { maxOutputBytes: 20 * 1024 * 1024 });
    expect(chunks.join('').length).to.equal(20 * 1024 * 1024);
    expect(isError).to.equal(true);
    expect(content.length).to.be.below(31_000);
    expect(content)
      .to.match(/^y\n/)
      .and.contain('characters are left out here')
      .and.contain('Stopped after 20971520 bytes');
    expect(process.memoryUsage().rss - before).to.be.below(120 * 1024 * 1024);
    expect(alive()).to.equal(false);
  });

  it('stops after 1 MiB by default', async () => {
    expect((await run('yes')).content).to.contain('Stopped after 1048576 bytes of output');
  });

  it('runs the command only as fast as its output is read', async () => {
    const items = stream(
      `i=0; while [ $i -lt 100 ]; do i=$((i+1)); head -c 8192 /dev/zero | tr '\\0' x; echo $i > count; done`,
    );
    await items.next();
    await sleep(600);
    expect(Number(readFileSync(join(sandbox.root, 'count'), 'utf8'))).to.be.below(60);
    let [length, last]: [number, unknown] = [0, ''];
    for (let item = await items.next(); !item.done; item = await items.next()) {
      last = item.value;
      if (typeof item.value === 'string') length += item.value.length;
    }
    expect(length).to.be.above(700_000);
    expect(last).to.deep.include({ isError: false });
  });

  it('returns the whole long output below the limit', async () => {
    const { chunks } = await run('seq 1 100000');
    expect(chunks.join(''))
      .to.match(/^1\n2\n/)
      .and.match(/\n100000\n$/);
    expect(chunks.join('').length).to.equal(588_895);
  });

  it('reports a command that cannot be started', async () => {
    const started = tool();
    sandbox.remove();
    const { content, isError } = await callTool(started, { command: 'true' });
    expect(content).to.contain('The command could not be started').and.contain('ENOENT');
    expect(isError).to.equal(true);
  });

  it('leaves no process when the host exits during a command', async () => {
    const file = JSON.stringify(require.resolve('../../../lib/processes/spawn-group.ts'));
    const options = JSON.stringify({ cwd: sandbox.root });
    const host = `require(${file}).spawnGroup('echo $$ > pid; sleep 60', ${options}); setTimeout(() => process.exit(), 200)`;
    execFileSync(process.execPath, ['-r', 'ts-node/register', '-e', host]);
    for (let waited = 0; alive() && waited < 50; waited += 1) await sleep(10);
    expect(alive()).to.equal(false);
  });

  it('rejects a command that no shell accepts', async () => {
    for (const command of ['', 'a\0b', 'é'.repeat(60_000)]) expect(await fits(tool(), { command })).to.equal(false);
  });
});
