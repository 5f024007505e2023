import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { defineHook, verdict } from 'hookline';
import {
  type ConfigChange,
  type ConfigPath,
  createLiveHooks,
  type LiveHooks,
  type NativeConfig,
} from 'hookline/config';
import { builtIns, createCatalogue, defineCatalogueEntry } from 'hookline/hooks';
import { z } from 'zod';
import { written } from '../read.ts';

const HOOK = (reply: string) =>
  `const fs = require('node:fs');
   fs.appendFileSync(process.argv[2], 'start ' + process.pid + '\\n');
   process.on('exit', () => fs.appendFileSync(process.argv[2], 'end ' + process.pid + '\\n'));
   require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
     const { id, method } = JSON.parse(line);
     const result = method === 'hook.hello' ? { ok: true, protocol_version: 1 } : ${reply};
     if (id) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
   }).on('close', () => process.exit(0));`;

/** A layer as parsed from a saved configuration. */
function layerOf(config: NativeConfig) {
  const nowhere = { line: 1, column: 1 };
  return {
    source: { file: 'saved', value: config, placeOf: () => nowhere },
    config,
    toSource: (path: ConfigPath) => path,
  };
}

describe('live hooks', () => {
  let live: LiveHooks;
  afterEach(() => live?.close());

  const write = (file: string, hooks: object): void => writeFileSync(file, JSON.stringify({ hooks }));

  it('uses the current files for new runs, and keeps the old hooks for active runs', async () => {
    const file = written({ 'c.json': { hooks: { a: { type: 'audit-log' } } } })('c.json');
    live = await createLiveHooks({ files: [file] });
    const before = await live.lease();
    write(file, { a: { type: 'audit-log' }, b: { type: 'dangerous-confirmation' } });
    expect(await live.reload()).to.deep.include({ type: 'reloaded', generation: 2 });
    const after = await live.lease();
    expect(before.pipeline.hooks.map(({ name }) => name)).to.deep.equal(['a']);
    expect(after.pipeline.hooks.map(({ name }) => name)).to.deep.equal(['b', 'a']);
    expect(await live.reload()).to.deep.equal({ type: 'unchanged', generation: 2 });
    before.release();
    after.release();
  });

  it('keeps the last valid configuration if new files or hooks fail, and reports why', async () => {
    const file = written({ 'c.json': { hooks: { a: { type: 'dangerous-confirmation' } } } })('c.json');
    live = await createLiveHooks({ files: [file] });
    const told: ConfigChange[] = [];
    live.changes$.subscribe((change) => told.push(change));
    for (const text of [
      '{',
      '{"hooks":{"a":{"type":"audti-log"}}}',
      '{"hooks":{"a":{"type":"module","path":"./none.js"}}}',
    ]) {
      writeFileSync(file, text);
      expect(await live.reload()).to.include({ type: 'refused', generation: 1 });
      const { pipeline, release } = await live.lease();
      expect(pipeline.hooks.map(({ name }) => name)).to.deep.equal(['a']);
      release();
    }
    expect(told.map((change) => change.type === 'refused' && change.issues[0]?.path)).to.deep.equal([
      [],
      ['hooks', 'a', 'type'],
      ['hooks', 'a'],
    ]);
  });

  it('reloads a changed module', async () => {
    const at = written({
      'c.json': { hooks: { m: { type: 'module', path: './m.js' } } },
      'm.js': "module.exports = require('hookline').defineHook({ name: 'x', priority: 1, observe() {} });",
    });
    live = await createLiveHooks({ files: [at('c.json')] });
    writeFileSync(at('m.js'), readFileSync(at('m.js'), 'utf8').replace('priority: 1', 'priority: 2'));
    expect(await live.reload()).to.deep.include({ type: 'reloaded' });
    const { pipeline, release } = await live.lease();
    expect(pipeline.hooks[0]).to.include({ name: 'm', priority: 2 });
    release();
  });

  it('keeps a process that the new configuration uses, and stops an unused one', async () => {
    const at = written({ 'hook.js': HOOK("{ action: 'continue' }"), 'c.json': {} });
    const folder = dirname(at('c.json'));
    const process_ = (log: string) => ({
      type: 'process',
      options: { command: [process.execPath, at('hook.js'), join(folder, log)], intercept: ['before_tool'] },
    });
    const logOf = (log: string) => readFileSync(join(folder, log), 'utf8').replace(/ \d+/g, '').trim().split('\n');
    write(at('c.json'), { one: process_('one'), two: process_('two') });
    live = await createLiveHooks({ files: [at('c.json')] });
    const lease = await live.lease();
    for (const hook of lease.pipeline.hooks) {
      await new Promise<void>((resolve, reject) =>
        (hook as unknown as { start(): { subscribe(o: object): void } })
          .start()
          .subscribe({ complete: resolve, error: reject }),
      );
    }
    write(at('c.json'), { one: process_('one'), more: { type: 'audit-log' } });
    await live.reload();
    expect(logOf('two'), 'while a run uses it').to.deep.equal(['start']);
    lease.release();
    for (let tries = 0; logOf('two').length < 2 && tries < 200; tries += 1)
      await new Promise((done) => setTimeout(done, 25));
    expect(logOf('two')).to.deep.equal(['start', 'end']);
    expect(logOf('one')).to.deep.equal(['start']);
    await live.close();
    expect(logOf('one')).to.deep.equal(['start', 'end']);
  });

  it("keeps the host's hooks that are always on, after any change of the files", async () => {
    const file = written({ 'c.json': { hooks: { a: { type: 'dangerous-confirmation', enabled: false } } } })('c.json');
    const floor = { guard: { type: 'dangerous-confirmation' } };
    live = await createLiveHooks({ files: [file], floor });
    const names = async () => {
      const { pipeline, release } = await live.lease();
      release();
      return pipeline.hooks.map(({ name }) => name);
    };
    expect(await names()).to.deep.equal(['guard']);
    write(file, { guard: { enabled: false } });
    await live.reload();
    expect(await names()).to.deep.equal(['guard']);
    write(file, { guard: { enabled: false, weaker: true } });
    await live.reload();
    expect(await names()).to.deep.equal([]);
  });

  it('ends hooks of a trial, keeps nothing of a layer, and reports its issues', async () => {
    const made: string[] = [];
    const entry = defineCatalogueEntry({
      name: 'counted',
      description: 'Says when it is made.',
      events: ['preCall'],
      optionsSchema: z.strictObject({ nth: z.number() }),
      create: ({ nth }) => {
        made.push(String(nth));
        return defineHook({ name: 'counted', observe() {} });
      },
    });
    live = await createLiveHooks({ files: [], catalogue: createCatalogue([...builtIns, entry]) });
    const layer = (nth: number) => [
      { ...layerOf({ hooks: { c: { type: 'counted', options: { nth } } } }), dialect: 'hookline' as const },
    ];
    await live.probe(layer(1));
    await live.probe(layer(1));
    expect(made, 'made anew, since nothing was kept').to.deep.equal(['1', '1']);
    (await live.lease(layer(1))).release();
    (await live.lease(layer(1))).release();
    expect(made, 'kept for the next run').to.deep.equal(['1', '1', '1']);
    const refused = await live.probe(layer('x' as never)).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'CONFIG_INVALID' });
  });

  it("contains the host's own hooks, with any files", async () => {
    const own = defineHook({ name: 'own', approve: () => verdict.allow() });
    const file = written({ 'c.json': { hooks: { own: { type: 'audit-log' } } } })('c.json');
    const refused = await createLiveHooks({ files: [file], hooks: [own] }).catch((error: Error) => error);
    expect(refused).to.be.an('error').with.property('message').that.includes('the host has its own hook named "own"');
    write(file, {});
    live = await createLiveHooks({ files: [file], hooks: [own] });
    const { pipeline, release } = await live.lease();
    expect(pipeline.hooks.map(({ name }) => name)).to.deep.equal(['own']);
    release();
  });
});
