import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createHostHooks } from '../../../lib/cli/host-hook/host-hooks.ts';
import { folder } from '../hookline.ts';

const WAITS = `import { defineHook } from 'hookline';
import { existsSync } from 'node:fs';
while (!existsSync(new URL('go', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 5));
export default defineHook({ name: 'waits', observe() {} });
`;

describe('createHostHooks', () => {
  it('keeps hooks for a caller although another one left during loading', async () => {
    const at = folder({
      'waits.mjs': WAITS,
      'hookline.yaml': 'hooks: { waits: { type: module, path: ./waits.mjs } }\n',
    });
    const hooks = createHostHooks({ config: [join(at, 'hookline.yaml')], hooks: [] }, 'claude');
    const leaves = new AbortController();
    const left = hooks.lease(at, leaves.signal).catch((thrown: Error) => thrown.message);
    const stays = hooks.lease(at);
    leaves.abort(new Error('it has left'));
    expect(await left).to.equal('it has left');
    writeFileSync(join(at, 'go'), '');
    const { pipeline, release } = await stays;
    expect(pipeline.hooks.map(({ name }) => name)).to.include('waits');
    release();
    await hooks.close();
  });

  for (const [format, entry] of [
    ['CommonJS', `require('words'); module.exports = require('./lib/own.js');`],
    ['ES modules', `import 'words'; import own from './lib/own.js'; export default own;`],
  ])
    it(`watches the files of a package of hooks as ${format}, but not those of other packages`, async () => {
      const type = format === 'CommonJS' ? 'commonjs' : 'module';
      const [start, end] =
        type === 'module'
          ? [`import { defineHook } from 'hookline';`, 'export default']
          : [`const { defineHook } = require('hookline');`, 'module.exports ='];
      const at = folder({
        'hookline.yaml': 'hooks: { own: { type: module, path: "@limits/own" } }\n',
        'node_modules/@limits/own/package.json': `{ "type": "${type}", "exports": "./index.js" }`,
        'node_modules/@limits/own/index.js': entry ?? '',
        'node_modules/@limits/own/lib/own.js': `${start} ${end} defineHook({ name: 'own', observe() {} });`,
        'node_modules/words/index.js': '',
      });
      const hooks = createHostHooks({ config: [join(at, 'hookline.yaml')], hooks: [] }, 'claude');
      (await hooks.lease(at)).release();
      const watched = (): string[] =>
        [...hooks.watched().files.keys()]
          .filter((file) => file.startsWith(join(at, 'node_modules')))
          .map((file) => relative(join(at, 'node_modules'), file));
      while (type === 'module' && watched().length < 3) await sleep(10);
      expect(watched().toSorted()).to.deep.equal([
        '@limits/own/index.js',
        '@limits/own/lib/own.js',
        '@limits/own/package.json',
      ]);
      await hooks.close();
    });
});
