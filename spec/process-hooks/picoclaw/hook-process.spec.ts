import { expect } from 'chai';
import { pino } from 'pino';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { createPipeline } from '../../../lib/index.ts';
import { processHook } from '../../../lib/process-hooks/index.ts';
import { createHookProcess } from '../../../lib/process-hooks/picoclaw/hook-process.ts';
import { processHookOptionsSchema } from '../../../lib/process-hooks/picoclaw/options.ts';
import { scriptedTool } from '../../../lib/testing/index.ts';

const SLOW_HELLO = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'hook.hello') setTimeout(() => console.log(JSON.stringify({ id, result: {} })), 100);
    else console.error('told ' + method);
  });`;

const MORTAL = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'die') process.exit(3);
    console.log(JSON.stringify({ id, result: method === 'pid' ? process.pid : {} }));
  });`;

function scene(command: readonly string[], observe: string[] = ['turn_end']) {
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).stderr ?? '') });
  // Long enough that a stop that waits for it fails the spec.
  const options = { name: 'h', command: [...command], observe, log, timeouts: { helloMs: 600_000 } };
  return { logged, options };
}

describe('the process of a hook', () => {
  it('stops at once during its start, with an error for waiting callers', async () => {
    const hook = processHook(scene(['sh', '-c', 'cat > /dev/null']).options);
    const started = firstValueFrom(hook.start()).catch((thrown: Error) => thrown.message);
    await hook.stop();
    expect(await started).to.equal('Hook process "h" is down: it was stopped.');
  });

  it('logs to the console without a logger, including output before its end', async () => {
    const hook = processHook({
      name: 'h',
      command: ['sh', '-c', 'echo no such file >&2; exit 3'],
      observe: ['turn_end'],
    });
    const { warn } = console;
    const heard: string[] = [];
    console.warn = (line: string) => void heard.push(line);
    try {
      await lastValueFrom(hook.start()).catch(() => {});
    } finally {
      console.warn = warn;
      await hook.stop();
    }
    expect(heard.join('\n')).to.contain('no such file');
  });

  it('receives notifications that wait for its start before it stops', async () => {
    const { options, logged } = scene([process.execPath, '-e', SLOW_HELLO]);
    const own = createHookProcess(processHookOptionsSchema.parse(options), ['observe']);
    own.notify('hook.runtime_event', { kind: 'agent.turn.end' });
    await own.stop();
    expect(logged).to.include('told hook.runtime_event');
  });

  it('receives at most 1,024 notifications that wait for its start', async () => {
    const { options, logged } = scene([process.execPath, '-e', SLOW_HELLO]);
    const own = createHookProcess(processHookOptionsSchema.parse(options), ['observe']);
    for (let nth = 0; nth < 1_100; nth += 1) own.notify('hook.runtime_event', { kind: 'agent.turn.end' });
    await own.stop();
    expect(logged.filter((line) => line === 'told hook.runtime_event')).to.have.length(1_024);
  });

  it('is called again by the same Observable after a restart', async () => {
    const { options } = scene([process.execPath, '-e', MORTAL]);
    const own = createHookProcess(processHookOptionsSchema.parse(options), ['observe']);
    await lastValueFrom(own.start());
    const pid$ = own.ask('pid', {}, 5_000);
    const first = await lastValueFrom(pid$);
    await lastValueFrom(own.ask('die', {}, 5_000)).catch(() => {});
    while (own.starts < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await lastValueFrom(pid$))
      .to.be.a('number')
      .that.does.not.equal(first);
    await own.stop();
  });

  it('is not called in a dry run, which is not a denial', async () => {
    const hook = processHook({ name: 'h', command: ['cat'], intercept: ['approve_tool'] });
    const run = createPipeline([hook]).start({ agent: 'a', dryRun: true });
    const tool = scriptedTool({ name: 'echo', result: 'echoed' });
    const last = await lastValueFrom(run.act({ id: 'c', name: 'echo', input: {} }, [tool]));
    const prompt = 'hook process "h" would be asked';
    expect(last.type === 'preActing' && last.decision).to.deep.include({ action: 'suspend', prompt });
  });

  it('warns about a timeout for observers, which are not awaited', async () => {
    const warned: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(JSON.parse(line).msg) });
    const command = ['cat'];
    processHook({ name: 'h', command, observe: ['turn_end'], log });
    expect(warned).to.deep.equal([]);
    processHook({ name: 'h', command, observe: ['turn_end'], log, timeouts: { observerMs: 500 } });
    expect(warned).to.deep.equal(['timeouts.observerMs has no effect, because Hookline does not wait for observers']);
  });
});
