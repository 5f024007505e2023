import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { environment, eventsOf, folder, fromSource, outcomeOf, root } from './hookline.ts';
import { warmHookline as hookline } from './warm-command.ts';

const body = (name: string) => `{ name: '${name}', on: { preCall: (event) => modify(event, { messages: event.messages },
  { note: { code: 'seen', message: '${name}' } }) } }`;

/** A folder outside of the repository, without an installed hookline. */
const modules = folder({
  'typed.ts': `import { type Hook, defineHook, modify } from 'hookline';
    import { map } from 'rxjs';
    const kind: string = typeof map;
    export default [defineHook(${body('typed')}), defineHook(${body('second')})] satisfies Hook[];`,
  'module.mjs': `import { defineHook, modify } from 'hookline';
    import { workspaceTools } from 'hookline/tools';
    import { z } from 'zod';
    export default defineHook(${body('module')});`,
  'common.cjs': `const { defineHook, modify } = require('hookline'); module.exports = defineHook(${body('common')});`,
  'esm/package.json': '{"type": "module"}',
  'esm/typed.ts': `import { defineHook, modify } from 'hookline'; export default defineHook(${body('typed-in-esm')});`,
  'esm/plain.js': `import { defineHook, modify } from 'hookline'; export default defineHook(${body('plain-in-esm')});`,
  'none.mjs': 'export const hook = 1;',
  'plain.mjs': `export default [{ name: 'x', on: {} }];`,
  'text.mjs': `export default 'hook';`,
  'throws.mjs': `throw new Error('no luck');`,
  'needs.mjs': `import 'not-installed';`,
  'broken.ts': 'export default = ;',
  'audit.mjs': `import { auditLog } from 'hookline/hooks'; export default auditLog({ logger: undefined });`,
});
mkdirSync(join(modules, 'node_modules/a-hook'), { recursive: true });
writeFileSync(
  join(modules, 'node_modules/a-hook/index.js'),
  `const { defineHook, modify } = require('hookline'); exports.default = defineHook(${body('package')});`,
);

/** Errors of unusable modules, in one process, because each process loads a compiler. */
async function refusals(names: readonly string[]): Promise<readonly string[]> {
  const program = `const { loadHooks } = require(${JSON.stringify(join(root, 'lib/cli/setup/load-hooks.ts'))});
    const told = ${JSON.stringify(names)}.map((name) => loadHooks([name]).then(() => 'taken', (error) => error.message));
    Promise.all(told).then((all) => console.log(JSON.stringify(all)));`;
  const [node = '', ...rest] = fromSource;
  const child = spawn(node, [...rest.slice(0, -1), '-e', program], { cwd: modules, env: environment() });
  return JSON.parse((await outcomeOf(child)).stdout);
}

describe('hookline run --hooks', () => {
  it('loads hooks of modules of every kind, in order, from any folder, which import hookline', async () => {
    const names = ['./typed.ts', 'module.mjs', join(modules, 'common.cjs'), 'a-hook', 'esm/typed.ts', './esm/plain.js'];
    const given = names.flatMap((name) => ['--hooks', name]);
    // From another current directory, like an installed command.
    const outcome = await hookline(['run', 'hi', '--json', ...given], { cwd: modules });
    expect(outcome.stderr).to.match(/^audit: .+\n$/);
    expect(outcome.code).to.equal(0);
    const notes = eventsOf(outcome)[0]?.['notes'] as { message: string }[];
    expect(notes.map(({ message }) => message)).to.deep.equal([
      'typed',
      'second',
      'module',
      'common',
      'package',
      'typed-in-esm',
      'plain-in-esm',
    ]);
  });

  it('rejects an unusable module by name, with advice', async () => {
    const names = ['./missing.ts', 'none.mjs', 'plain.mjs', 'text.mjs', 'throws.mjs', 'needs.mjs', 'broken.ts'];
    const [{ code, stdout, stderr }, told] = await Promise.all([
      hookline(['run', 'hi', '--hooks', './none.mjs'], { cwd: modules }),
      refusals(names),
    ]);
    expect({ code, stdout, stderr }).to.deep.equal({
      code: 2,
      stdout: '',
      stderr:
        'error: --hooks ./none.mjs: it has no default export. Write export default defineHook({ … }), or export an array of hooks.\n',
    });
    for (const [index, name] of names.entries())
      expect(told[index]).to.include(`--hooks ${name}: `).and.not.include('\n');
    const [missing, none, plain, text, throws, needs, broken] = told;
    expect(missing).to.include('there is no such module. Use the path of a file');
    expect(none).to.include('it has no default export. Write export default');
    expect(plain).to.include('item 0 of its default export is a plain object, not a hook. Write export default');
    expect(text).to.include('its default export is a string, not a hook');
    expect(throws).to.include('cannot be loaded: no luck');
    expect(needs).to.include("cannot be loaded: Cannot find package 'not-installed'");
    expect(broken).to.match(/cannot be loaded: .*broken.*Expression expected/);
  });

  it('loads a built-in hook by name, such as security-scan, which hides secrets of files', async () => {
    const secret = 'glpat-Zx81kQ2mWv7RtY3nLp0s';
    const args = ['run', 'read notes.txt', '--json', '--workspace', folder({ 'notes.txt': `token ${secret}\n` })];
    const [without, scanned] = await Promise.all([hookline(args), hookline([...args, '--hooks', 'security-scan'])]);
    expect(without.stdout).to.include(secret);
    expect(scanned.code).to.equal(0);
    expect(scanned.stdout).to.include('[REDACTED:gitlab-pat]').and.not.include(secret);
  });

  it('rejects a duplicate hook name', async () => {
    const { code, stderr } = await hookline(['run', 'hi', '--hooks', join(modules, 'audit.mjs')]);
    expect(code).to.equal(2);
    expect(stderr).to.include('two hooks are named "audit-log"');
  });
});
