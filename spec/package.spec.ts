import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as packageJson from 'hookline/package.json';

type Entry = Readonly<Record<'hookline:source' | 'types' | 'default', string>> & {
  readonly module?: string;
  readonly workerd?: string;
};

const entries = Object.entries(packageJson.exports).filter(([path]) => path !== './package.json') as unknown as [
  string,
  Entry,
][];

/** Entry points of servers and tests, which are rarely bundled. */
const COMMONJS_ONLY = ['./mcp', './nats', './testing'];

describe('package.json', () => {
  it('has a source for each entry point, and its build in the matching place', () => {
    expect(entries).not.to.be.empty;
    for (const [path, entry] of entries) {
      const esm = COMMONJS_ONLY.includes(path) ? [] : ['module'];
      const own = path === './hooks' ? ['edge-light', 'workerd', 'browser'] : esm.map(() => 'workerd');
      expect(Object.keys(entry), path).to.deep.equal(['hookline:source', 'types', ...own, ...esm, 'default']);
      if (path !== './hooks') expect(entry.workerd, path).to.equal(entry.module);
      expect(existsSync(join(__dirname, '..', entry['hookline:source'])), path).to.equal(true);
      const name = entry['hookline:source'].replace('./lib/', '').replace(/\.ts$/, '');
      const built = [`./dist/${name}.d.ts`, ...esm.map(() => `./dist/esm/${name}.js`), `./dist/${name}.js`];
      const { types, module, default: commonJs } = entry;
      expect([types, ...(module === undefined ? [] : [module]), commonJs], path).to.deep.equal(built);
    }
  });

  it('has rxjs and zod, which public types use, as peers', () => {
    expect(packageJson.peerDependencies).to.include.keys('rxjs', 'zod');
    expect(packageJson.devDependencies).to.include.keys('rxjs', 'zod');
    expect(packageJson.dependencies).to.not.have.any.keys('rxjs', 'zod');
  });

  it('marks each other peer as optional', () => {
    const optional = Object.entries(packageJson.peerDependenciesMeta).filter(([, meta]) => meta.optional);
    const others = Object.keys(packageJson.peerDependencies).filter((name) => !['rxjs', 'zod'].includes(name));
    expect(optional.map(([name]) => name)).to.have.members(others);
  });

  it('has the main and types of the main entry point', () => {
    const [, main] = entries.find(([path]) => path === '.') ?? [];
    expect([packageJson.types, packageJson.main]).to.deep.equal([main?.types, main?.default]);
  });
});
