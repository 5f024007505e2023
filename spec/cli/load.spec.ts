import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { environment, folder, fromSource, root } from './hookline.ts';

/** Files of lib and packages that a command line has loaded when it exits. */
function loadedBy(...args: string[]): { readonly own: readonly string[]; readonly packages: readonly string[] } {
  const at = folder({
    'report.js': `process.on('exit', () => require('node:fs').writeFileSync(__dirname + '/loaded', Object.keys(require.cache).join('\\n')))`,
  });
  const [node = '', ...main] = fromSource;
  const { status } = spawnSync(node, ['-r', join(at, 'report.js'), ...main, ...args], {
    cwd: root,
    env: environment(),
  });
  expect(status).to.equal(0);
  const names = readFileSync(join(at, 'loaded'), 'utf8')
    .split('\n')
    .map((file) => relative(root, file).replaceAll('\\', '/'));
  const packages = names.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []);
  return { own: names.filter((name) => name.startsWith('lib/')), packages: [...new Set(packages)] };
}

describe('modules loaded by the command line', () => {
  it('loads commander and a few files for --version', () => {
    const { own, packages } = loadedBy('--version');
    expect(packages).to.include('commander');
    expect(packages.filter((name) => ['rxjs', 'zod', 'yaml', 'pino'].includes(name))).to.deep.equal([]);
    expect(own).to.have.lengthOf.below(12);
  });

  it('loads one command without server, adapters and tools for check', () => {
    const at = folder({ 'hookline.yaml': 'hooks:\n  audit:\n    type: audit-log\n' });
    const { own } = loadedBy('check', join(at, 'hookline.yaml'));
    expect(own.filter((name) => name.startsWith('lib/cli/commands/'))).to.deep.equal(['lib/cli/commands/check.ts']);
    expect(own.filter((name) => /^lib\/(?:server|adapters|tools|testing|agent)\//.test(name))).to.deep.equal([]);
  });
});
