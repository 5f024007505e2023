import { expect } from 'chai';
import { defineHook } from 'hookline';
import { createHookConfigs, createLiveHooks, formatPath, issuesOf, type LiveHooks, memoryStore } from 'hookline/config';
import { builtIns, createCatalogue } from 'hookline/hooks';
import { read, shown, written } from './read.ts';

const catalogue = createCatalogue(builtIns);

describe('reserved hook names of a configuration', () => {
  let live: LiveHooks;
  const alice = { user: 'alice' };
  afterEach(() => live?.close());

  /** A host with its own hook. */
  const host = async (hooks: object) => {
    const file = written({ 'c.json': { hooks } })('c.json');
    live = await createLiveHooks({ files: [file], hooks: [catalogue.create('audit-log')] });
    return createHookConfigs(live, memoryStore());
  };
  const refusedAt = async (saving: Promise<unknown>) => {
    const thrown = await saving.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(thrown).to.have.property('code', 'CONFIG_INVALID');
    return issuesOf(thrown)?.map(({ path }) => formatPath(path));
  };
  const layer = (name: string) => JSON.stringify({ hooks: { [name]: { type: 'security-scan' } } });

  it('includes those of the engine, in files and layers', async () => {
    expect(shown(read({ hooks: { 'hookline:explain': { type: 'audit-log' } } }))).to.deep.equal([
      'c.json:3:5 hooks["hookline:explain"]: names that start with hookline: are reserved for Hookline. Use another name.',
    ]);
    const configs = await host({});
    expect(await refusedAt(configs.save(alice, layer('hookline:explain'), 'body'))).to.deep.equal([
      'hooks["hookline:explain"]',
    ]);
  });

  it('includes hooks of the host', async () => {
    const configs = await host({});
    expect(await refusedAt(configs.save(alice, layer('audit-log'), 'body'))).to.deep.equal(['hooks.audit-log']);
    const file = written({ 'c.json': { hooks: { own: { type: 'audit-log' } } } })('c.json');
    const own = defineHook({ name: 'own', observe: () => {} });
    expect(await refusedAt(createLiveHooks({ files: [file], hooks: [own] }))).to.deep.equal(['hooks.own']);
  });

  it('includes those that another hook creates, and its tools', async () => {
    const module = (name: string) => `
      const { defineHook, defineTool } = require('hookline');
      const inputSchema = require('zod').z.object({});
      const tool = defineTool({ name: 'same', description: 'x', permission: 'read', inputSchema, execute: () => '' });
      module.exports = [defineHook({ name: '${name}', tools: [tool] }), defineHook({ name: 'more', observe() {} })];`;
    const at = written({
      'a.js': module('x'),
      'b.js': module('y'),
      'tools.json': { hooks: { a: { type: 'module', path: './a.js' }, b: { type: 'module', path: './b.js' } } },
      'names.json': { hooks: { a: { type: 'module', path: './a.js' }, 'a.more': { type: 'audit-log' } } },
    });
    expect(await refusedAt(createLiveHooks({ files: [at('tools.json')] }))).to.deep.equal(['hooks.b']);
    expect(await refusedAt(createLiveHooks({ files: [at('names.json')] }))).to.deep.equal(['hooks["a.more"]']);
  });
});
