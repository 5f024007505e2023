import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as packageJson from 'hookline/package.json';

type Entry = { readonly 'hookline:source': string; readonly types: string; readonly default: string };

const entries = Object.entries(packageJson.exports).filter(([path]) => path !== './package.json') as unknown as [
  string,
  Entry,
][];

describe('package.json', () => {
  it('each entry point has its source, and its build lies where the source’s place says', () => {
    expect(entries).not.to.be.empty;
    for (const [path, entry] of entries) {
      expect(Object.keys(entry), path).to.deep.equal(['hookline:source', 'types', 'default']);
      expect(existsSync(join(__dirname, '..', entry['hookline:source'])), path).to.equal(true);
      const built = entry['hookline:source'].replace('./lib/', './dist/').replace(/\.ts$/, '');
      expect([entry.types, entry.default], path).to.deep.equal([`${built}.d.ts`, `${built}.js`]);
    }
  });

  it('what the main entry point loads is installed with it', () => {
    expect(packageJson.dependencies).to.include.keys('rxjs', 'zod', 'pino');
  });

  it('each peer is optional', () => {
    const optional = Object.entries(packageJson.peerDependenciesMeta).filter(([, meta]) => meta.optional);
    expect(optional.map(([name]) => name)).to.have.members(Object.keys(packageJson.peerDependencies));
  });

  it('main and types are those of the main entry point', () => {
    const [, main] = entries.find(([path]) => path === '.') ?? [];
    expect([packageJson.types, packageJson.main]).to.deep.equal([main?.types, main?.default]);
  });
});
