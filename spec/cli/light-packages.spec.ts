import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import * as rxjs from 'rxjs';
import { z } from 'zod';
import { folder, hookline } from './hookline.ts';

const LOAD = `require(${JSON.stringify(join(__dirname, '../../lib/cli/light-packages'))}).lightPackages(false);`;
const hooks = ['-C', 'hookline:source', '-r', 'ts-node/register'];

function printed(script: string): unknown {
  const before = `const before = Object.keys(require.cache).length;`;
  const args = [...hooks, '-e', `${LOAD} ${before} (async () => console.log(JSON.stringify(await (${script})())))()`];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: join(__dirname, '../..'), encoding: 'utf8' }));
}

describe('packages of the command', () => {
  it('are loaded from few files', () => {
    const files = printed(`() => {
      require('rxjs'), require('zod');
      return Object.keys(require.cache).length - before;
    }`);
    expect(files).to.be.lessThan(40);
  });

  it('stay as they are if something has loaded them', () => {
    const script = `const before = [require('rxjs'), require('zod').z]; ${LOAD}
      console.log(before[0] === require('rxjs') && before[1] === require('zod').z);`;
    const loaded = execFileSync(process.execPath, [...hooks, '-e', script], {
      cwd: join(__dirname, '../..'),
      encoding: 'utf8',
    });
    expect(loaded).to.equal('true\n');
  });

  it('have each export that they have elsewhere', () => {
    const names = printed(`() => {
      const { z } = require('zod');
      return { rxjs: Object.keys(require('rxjs')), zod: Object.keys(z), locales: Object.keys(z.locales) };
    }`) as Record<string, string[]>;
    expect(names['rxjs']).to.include.members(Object.keys(rxjs));
    expect(names['zod']).to.have.members(Object.keys(z));
    expect(names['locales']).to.have.members(Object.keys(z.locales));
  });

  it('are one copy of rxjs, whichever of its entries a module of hooks uses', async () => {
    const entries = ['operators', 'testing', 'ajax', 'webSocket', 'fetch'] as const;
    const own = printed(`() => ${JSON.stringify(entries)}.map((entry) => Object.keys(require('rxjs/' + entry)))`);
    for (const [nth, entry] of entries.entries())
      expect((own as string[][])[nth], entry).to.include.members(Object.keys(require(`rxjs/${entry}`)));
    const caught = printed(`() => {
      const { EMPTY, EmptyError } = require('rxjs');
      let caught;
      EMPTY.pipe(require('rxjs/operators').first()).subscribe({ error: (error) => (caught = error) });
      return caught instanceof EmptyError;
    }`);
    expect(caught).to.equal(true);
    const inVirtualTime = printed(`async () => {
      const { delay } = await import('rxjs');
      const { TestScheduler } = await import('rxjs/testing');
      let same;
      const scheduler = new TestScheduler((actual, expected) => (same = JSON.stringify(actual) === JSON.stringify(expected)));
      scheduler.run(({ cold, expectObservable }) => expectObservable(cold('a---|').pipe(delay(2))).toBe('--a-|'));
      return same;
    }`);
    expect(inVirtualTime).to.equal(true);
  });

  it('load a language when it is wanted', () => {
    const [english, german] = printed(`() => {
      const { z } = require('zod');
      const message = () => z.string().safeParse(1).error.issues[0].message;
      const english = message();
      z.config(z.locales.de());
      return [english, message()];
    }`) as string[];
    expect(english).to.contain('Invalid input');
    expect(german).to.contain('Ungültige Eingabe');
  });

  it('validate without compiled code, which takes longer than it saves for one event', () => {
    const compiled = printed(`() => {
      const { z } = require('zod');
      let compiled = 0;
      globalThis.Function = new Proxy(Function, { construct: (...args) => (compiled++, Reflect.construct(...args)) });
      z.object({ a: z.string() }).parse({ a: '' });
      return compiled;
    }`);
    expect(compiled).to.equal(0);
  });

  const probe = folder({
    'probe.cjs': `process.on('exit', () => process.stderr.write('jitless ' + (globalThis.__zod_globalConfig?.jitless ?? false)));`,
  });
  for (const [jitless, args] of [
    [true, ['check', '--preset', 'safe']],
    [true, ['hook', '--as', 'claude', '--worker', '--daemon', '--help']],
    [true, ['hook', '--as', 'codex', '--install', '--help']],
    [false, ['hook', '--as', 'claude', '--worker', '--daemon', '--daemon-at', 'x', '--help']],
    [false, ['hook', '--as', 'claude', '--listen=127.0.0.1:0', '--help']],
    [false, ['hook', '--as', 'picoclaw', '--help']],
    [false, ['mcp', '--help']],
    [false, ['serve', '--help']],
  ] as const)
    it(`${jitless ? 'do not compile' : 'compile'} validators for hookline ${args.join(' ')}`, async () => {
      const env = { NODE_OPTIONS: `--require=${join(probe, 'probe.cjs')}` };
      expect((await hookline(args, { env })).stderr).to.equal(`jitless ${jitless}`);
    });

  it('are the same copies for ES modules of hooks that load CommonJS', () => {
    const same = printed(`async () => (await import('rxjs')).Observable === require('rxjs').Observable`);
    expect(same).to.equal(true);
  });
});
