import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type ConfigChange, createLiveHooks, type LiveHooks, loadConfigAndKinds } from 'hookline/config';
import { folder, hookline } from '../../cli/hookline.ts';
import { warmHookline } from '../../cli/warm-command.ts';
import { shown } from '../read.ts';

const kind = (name: string, more = '') => `{
  name: '${name}',
  description: 'Denies calls after some.',
  events: ['preActing'],
  optionsSchema: z.strictObject({
    max: z.int().positive().default(1).describe('Calls of a run.'),
    key: z.string().optional().meta({ secret: true }),
  }),
  example: { max: 3 },
  create: ({ max }) => defineHook({ name: '${name}', description: 'at most ' + max, on: { preActing: (event) => deny(event, 'no more than ' + max) } }),
  ${more}
}`;
const ESM = (...kinds: string[]) => `
import { writeFileSync } from 'node:fs';
import { defineHook, deny } from 'hookline';
import { defineCatalogueEntry } from 'hookline/hooks';
import { z } from 'zod';
writeFileSync(new URL('loaded', import.meta.url), '');
export default [${kinds.map((one) => `defineCatalogueEntry(${one})`)}];
`;
const CJS = (exported: string) =>
  `const { defineHook, deny } = require('hookline'); const { z } = require('zod'); module.exports = ${exported};`;

const packaged = (source: string) => ({
  'node_modules/hookline-limits/package.json':
    '{ "name": "hookline-limits", "type": "module", "exports": "./index.js" }',
  'node_modules/hookline-limits/index.js': source,
});
const USES = `hooks:
  limits: { type: module, path: hookline-limits }
  mine: { type: call-limit, options: { max: 2, key: top-secret-value } }
`;

/** The issues of a configuration beside these files. */
async function issuesOf(config: string, files: Record<string, string>): Promise<readonly string[]> {
  return shown(await loadConfigAndKinds([join(folder({ 'c.yaml': config, ...files }), 'c.yaml')]));
}

describe('a module that exports kinds of hooks', () => {
  let live: LiveHooks | undefined;
  afterEach(() => live?.close());

  const hooksOf = async (): Promise<readonly (string | undefined)[]> => {
    const lease = await live?.lease();
    lease?.release();
    return lease?.pipeline.hooks.map(({ name, description }) => `${name}: ${description}`) ?? [];
  };

  for (const [format, files] of Object.entries({
    'a package with ES modules': packaged(ESM(kind('call-limit'))),
    'a package for import only': {
      ...packaged(ESM(kind('call-limit'))),
      'node_modules/hookline-limits/package.json':
        '{ "type": "module", "exports": { ".": { "types": "./index.d.ts", "import": { "default": "./index.js" } } } }',
    },
    'a CommonJS package': {
      'node_modules/hookline-limits/package.json': '{ "name": "hookline-limits" }',
      'node_modules/hookline-limits/index.js': CJS(kind('call-limit')),
    },
  }))
    it(`is ${format} whose kinds a file uses by name`, async () => {
      live = await createLiveHooks({ files: [join(folder({ 'c.yaml': USES, ...files }), 'c.yaml')] });
      expect(await hooksOf()).to.deep.equal(['mine: at most 2']);
      expect(live.kinds.get('call-limit')).to.include({ origin: 'custom' });
    });

  it('is also a file, whose kinds another file uses', async () => {
    const at = folder({
      'one.yaml': 'hooks: { limits: { type: module, path: ./limits.cjs } }\n',
      'two.yaml': 'hooks: { mine: { type: call-limit } }\n',
      'limits.cjs': CJS(kind('call-limit')),
    });
    live = await createLiveHooks({ files: [join(at, 'one.yaml'), join(at, 'two.yaml')] });
    expect(await hooksOf()).to.deep.equal(['mine: at most 1']);
  });

  it('may export hooks beside its kinds', async () => {
    const both = `[${kind('call-limit')}, defineHook({ name: 'own', description: 'own', observe() {} })]`;
    const at = folder({ 'c.yaml': USES.replace('hookline-limits', './m.cjs'), 'm.cjs': CJS(both) });
    live = await createLiveHooks({ files: [join(at, 'c.yaml')] });
    expect(await hooksOf()).to.have.members(['mine: at most 2', 'limits: own']);
  });

  it('does not call functions of other modules, which need their options', async () => {
    const at = folder({
      'c.yaml': `${USES.replace('hookline-limits', './m.cjs')}  own: { type: module, path: ./f.cjs, options: { limit: 3 } }\n`,
      'm.cjs': CJS(kind('call-limit')),
      'f.cjs': CJS(`({ limit }) => defineHook({ name: 'own', description: 'up to ' + limit.toFixed(), observe() {} })`),
    });
    live = await createLiveHooks({ files: [join(at, 'c.yaml')] });
    expect(await hooksOf()).to.deep.equal(['mine: at most 2', 'own: up to 3']);
  });

  for (const name of ['hookline-limits', 'hookline-limits.js', 'hookline-limits/index.js'])
    it(`is not replaced by the file ${name} beside the configuration`, async () => {
      const shadow = { [name]: CJS(kind('call-limit').replace('deny(event', 'void (event')) };
      const [first] = await issuesOf(USES, { ...packaged(ESM(kind('call-limit'))), ...shadow });
      expect(first).to.match(
        /^c.yaml:2:33 hooks.limits.path: it is the name of a file \(.*\) and of a package \(.*\). Write/,
      );
    });

  it('cannot make its kinds in a function', async () => {
    const files = { 'm.cjs': CJS(`() => [${kind('call-limit')}]`) };
    const used = await issuesOf(USES.replace('hookline-limits', './m.cjs'), files);
    expect(used).to.have.length(1);
    expect(used[0]).to.match(/^c.yaml:3:17 hooks.mine.type: unknown hook type "call-limit"/);
    const at = folder({ 'c.yaml': 'hooks: { limits: { type: module, path: ./m.cjs } }', ...files });
    const { stdout } = await warmHookline(['check', 'c.yaml'], { cwd: at });
    expect(stdout).to.match(/item 0 of the result of its default export is a plain object, not a hook/);
  });

  it('is not loaded if no file uses its kinds, or if it is disabled', async () => {
    const unused = folder({
      'c.yaml': 'hooks: { limits: { type: module, path: hookline-limits } }\n',
      ...packaged(ESM()),
    });
    await loadConfigAndKinds([join(unused, 'c.yaml')]);
    const disabled = USES.replace('path:', 'enabled: false, path:');
    expect((await issuesOf(disabled, packaged(ESM(kind('call-limit')))))[0]).to.match(
      /^c.yaml:3:17 hooks.mine.type: unknown hook type "call-limit"/,
    );
    expect(existsSync(join(unused, 'node_modules/hookline-limits/loaded'))).to.equal(false);
  });

  it('has options that are checked in the file', async () => {
    const wrong = USES.replace('max: 2', 'mx: 2');
    expect(await issuesOf(wrong, packaged(ESM(kind('call-limit'))))).to.deep.equal([
      'c.yaml:3:40 hooks.mine.options.mx: unknown key. Did you mean "max"?',
    ]);
    const typo = USES.replace('call-limit', 'call-limt');
    expect(await issuesOf(typo, packaged(ESM(kind('call-limit'))))).to.deep.equal([
      'c.yaml:3:17 hooks.mine.type: unknown hook type "call-limt". Did you mean "call-limit"?',
    ]);
  });

  it('fails as the module of a hook if it exports an object with create', async () => {
    for (const source of ['exports.create = () => undefined;', 'module.exports = [{ create() {} }];']) {
      const config = 'hooks: { guard: { type: module, path: ./guard.cjs } }';
      const at = folder({ 'c.yaml': config, 'guard.cjs': source });
      const thrown = await createLiveHooks({ files: [join(at, 'c.yaml')] }).catch((error: unknown) => error);
      expect(String(thrown)).to.include('hooks.guard: Catalogue entry without a name: ✖ ');
    }
  });

  const broken: readonly [what: string, source: string, issue: RegExp][] = [
    ['cannot be loaded', 'throw new Error("down")', /the module cannot be loaded: down/],
    ['has a kind of a built-in name', CJS(kind('permission')), /exports the kind "permission", and there is another/],
    ['has a kind named module', CJS(kind('module')), /exports the kind "module", and there is another/],
    ['has a kind twice', CJS(`[${kind('x')}, ${kind('x')}]`), /exports the kind "x", and there is another/],
    ['has an invalid kind', CJS(kind('x', 'create: 1, events: ["later"],')), /entry "x": .*must be a function.*events/],
    [
      'has a kind without a schema',
      CJS(kind('x').replace('optionsSchema', 'optionSchema')),
      /entry "x": ✖ must be a schema of zod 4, not of zod\/mini → at optionsSchema$/,
    ],
    [
      'has a kind with a schema of zod/mini',
      CJS(kind('x', "optionsSchema: require('zod/mini').strictObject({}),")),
      /entry "x": ✖ must be a schema of zod 4, not of zod\/mini → at optionsSchema$/,
    ],
    ['exports something else', CJS('[{ name: "x" }]'), /item 0 of its default export is a plain object/],
  ];
  for (const [what, source, issue] of broken)
    it(`is reported at its path if it ${what}`, async () => {
      const files = { 'm.cjs': source };
      const [first = '', ...more] = await issuesOf(USES.replace('hookline-limits', './m.cjs'), files);
      expect(first)
        .to.match(/^c.yaml:2:33 hooks.limits.path: /)
        .and.to.match(issue);
      expect(more)
        .to.have.length(1)
        .and.to.match(/unknown hook type/);
    });

  const defects: readonly [what: string, more: string, issue: string][] = [
    [
      'checks options asynchronously',
      'optionsSchema: z.strictObject({ max: z.number(), key: z.string().optional() }).refine(async () => true),',
      'c.yaml:3:17 hooks.mine.type: the kind "call-limit" has an asynchronous optionsSchema. Use synchronous checks in the module that exports the kind.',
    ],
    [
      'fails to list its files',
      'files: () => { throw new Error("no\\ndisk"); },',
      'c.yaml:3:17 hooks.mine.type: files() of the kind "call-limit" failed: no disk. Correct the module that exports the kind.',
    ],
    [
      'lists no files',
      'files: () => [1],',
      'c.yaml:3:17 hooks.mine.type: files() of the kind "call-limit" failed: it must return an array of paths. Correct the module that exports the kind.',
    ],
    [
      'fails to compare its options',
      'weakens: () => { throw new Error("down"); },',
      'd.yaml:1:10 hooks.mine: weakens() of the kind "call-limit" failed: down. Correct the module that exports the kind.',
    ],
  ];
  for (const [what, more, issue] of defects)
    it(`is reported at the hook if its kind ${what}`, async () => {
      const at = folder({
        'c.yaml': USES.replace('hookline-limits', './m.cjs'),
        'd.yaml': 'hooks: { mine: { options: { max: 1 } } }\n',
        'm.cjs': CJS(kind('call-limit', more)),
      });
      const found = await loadConfigAndKinds([join(at, 'c.yaml'), join(at, 'd.yaml')]);
      expect(shown(found)).to.deep.equal([issue]);
      const { code, stdout } = await hookline(['check', 'c.yaml', 'd.yaml'], { cwd: at });
      expect([code, stdout]).to.deep.equal([2, `${issue}\n`]);
    });

  it('is reported at the hook if its kind fails to find options without effect', async () => {
    const at = folder({
      'c.yaml': USES.replace('hookline-limits', './m.cjs'),
      'm.cjs': CJS(kind('call-limit', 'notices: () => { throw new Error("down"); },')),
    });
    const { code, stdout } = await hookline(['check', 'c.yaml'], { cwd: at });
    expect([code, stdout]).to.deep.equal([
      2,
      'c.yaml:3:17 hooks.mine.type: notices() of the kind "call-limit" failed: down. Correct the module that exports the kind.\n',
    ]);
  });

  it('is loaded from the path that applies only', async () => {
    const marks = (name: string) => `require('node:fs').writeFileSync(__dirname + '/${name}', '');`;
    const files = {
      'one.yaml': USES.replace('hookline-limits', './m.cjs'),
      'two.yaml': 'hooks: { limits: { type: module, path: ./other.cjs } }\n',
      'm.cjs': marks('m') + CJS(kind('call-limit')),
      'other.cjs': marks('other') + CJS(`[${kind('call-limit')}, ${kind('others')}]`),
    };
    const at = folder(files);
    const both = [join(at, 'one.yaml'), join(at, 'two.yaml')];
    expect(shown(await loadConfigAndKinds(both))).to.deep.equal([]);
    expect([existsSync(join(at, 'm')), existsSync(join(at, 'other'))]).to.deep.equal([true, false]);
    const over = folder(files);
    const { kinds } = await loadConfigAndKinds([join(over, 'one.yaml'), join(over, 'two.yaml')], { allowWeaker: true });
    expect([existsSync(join(over, 'm')), existsSync(join(over, 'other'))]).to.deep.equal([false, true]);
    expect(kinds.has('others')).to.equal(true);
  });

  it('rejects fields that only hooks have', async () => {
    const at = folder({ 'c.yaml': USES.replace('path:', 'priority: 3, path:'), ...packaged(ESM(kind('call-limit'))) });
    const { code, stdout } = await warmHookline(['check', 'c.yaml'], { cwd: at });
    expect({ code, stdout }).to.deep.equal({
      code: 2,
      stdout:
        'c.yaml:2:3 hooks.limits: the module exports only kinds of hooks (call-limit). Set priority in the hooks that use them.\n',
    });
  });

  it('creates its hooks again when it changes, and keeps them while it is broken', async () => {
    const at = folder({ 'c.yaml': USES.replace('hookline-limits', './m.cjs'), 'm.cjs': CJS(kind('call-limit')) });
    live = await createLiveHooks({ files: [join(at, 'c.yaml')] });
    const change = async (source: string): Promise<ConfigChange['type'] | 'unchanged' | undefined> => {
      writeFileSync(join(at, 'm.cjs'), source);
      return (await live?.reload())?.type;
    };
    expect(live.watched).to.include(join(at, 'm.cjs'));
    expect(await change(CJS(kind('call-limit').replace('at most', 'no more than')))).to.equal('reloaded');
    expect(await hooksOf()).to.deep.equal(['mine: no more than 2']);
    expect(await change('nonsense(')).to.equal('refused');
    expect(await hooksOf()).to.deep.equal(['mine: no more than 2']);
  });

  it('is read again when it changes and keeps its time, as files of some package managers do', async () => {
    const at = folder({ 'c.yaml': USES.replace('hookline-limits', './m.cjs') });
    const write = (source: string): void => {
      writeFileSync(join(at, 'm.cjs'), source);
      utimesSync(join(at, 'm.cjs'), 456_789_000, 456_789_000);
    };
    write(CJS(kind('call-limit')));
    live = await createLiveHooks({ files: [join(at, 'c.yaml')] });
    write(CJS(kind('call-limit').replace('at most', 'no more than')));
    expect((await live.reload()).type).to.equal('reloaded');
    expect(await hooksOf()).to.deep.equal(['mine: no more than 2']);
  });

  it('is read again if it changes while it is loading', async () => {
    const slow = `${ESM(kind('call-limit'))} await new Promise((done) => setTimeout(done, 300));`;
    const at = folder({ 'c.yaml': USES, ...packaged(slow) });
    const module = join(at, 'node_modules/hookline-limits');
    const loading = createLiveHooks({ files: [join(at, 'c.yaml')] });
    while (!existsSync(join(module, 'loaded'))) await sleep(10);
    writeFileSync(join(module, 'index.js'), ESM(kind('call-limit').replace('at most', 'no more than')));
    live = await loading;
    await live.reload();
    expect(await hooksOf()).to.deep.equal(['mine: no more than 2']);
  });

  describe('on the command line', () => {
    const at = folder({ 'c.yaml': USES, ...packaged(ESM(kind('call-limit'))) });
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await warmHookline(args, { cwd: at });
      expect(code, stderr).to.equal(0);
      return stdout;
    };

    it('is known to check, which hides its secrets', async () => {
      const printed = await run('check', 'c.yaml', '--print');
      expect(printed).to.include('"call-limit"').and.not.include('top-secret-value');
    });

    it('is known to list', async () => {
      expect(await run('list', '--config', 'c.yaml')).to.match(/mine +-?\d+ +call-limit/);
      expect(await run('list', '--available', '--config', 'c.yaml')).to.include('Denies calls after some.');
      expect(await run('list', '--available', 'call-limit', '--config', 'c.yaml')).to.include('Calls of a run.');
    });

    it('is known to explain', async () => {
      const told = await run('explain', '--config', 'c.yaml', '--tool', 'x', '--input', '{}');
      expect(told).to.include('no more than 2');
    });

    it('is known to schema, and so to the editor', async () => {
      const schema = JSON.parse(await run('schema', '--config', 'c.yaml', '--json'));
      expect(JSON.stringify(schema)).to.include('"const":"call-limit"').and.to.include('Calls of a run.');
      expect(await run('schema')).not.to.include('call-limit');
    });

    it('prints to stderr while it loads', async () => {
      const prints = `console.log('LOADS'); process.stdout.write('RAW'); await Promise.resolve(); console.info('LATER');`;
      const noisy = folder({ 'c.yaml': USES, ...packaged(`${prints}${ESM(kind('call-limit'))}`) });
      for (const args of [
        ['check', 'c.yaml', '--json'],
        ['schema', '--config', 'c.yaml', '--json'],
        ['list', '--config', 'c.yaml', '--json'],
      ]) {
        const { stdout, stderr } = await hookline(args, { cwd: noisy });
        expect(JSON.parse(stdout), args[0]).to.be.an('object');
        expect(stderr).to.equal('LOADS\nRAWLATER\n');
      }
    });

    it('guards a coding agent', async () => {
      const event = {
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: at,
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
      };
      const { stdout } = await hookline(['hook', '--as', 'claude', '--config', 'c.yaml'], {
        cwd: at,
        input: JSON.stringify(event),
      });
      expect(stdout).to.include('no more than 2');
    });
  });

  it('does not make a module of --hooks', async () => {
    const at = folder({ 'm.cjs': CJS(kind('call-limit')) });
    const { code, stderr } = await warmHookline(['list', '--hooks', './m.cjs'], { cwd: at });
    expect(code).to.equal(2);
    expect(stderr).to.include('--hooks ./m.cjs: it exports kinds of hooks. Add it to a configuration');
  });
});
