import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('README', () => {
  const readme = read('README.md');
  const snippets = [...readme.matchAll(/<!-- (samples\/\S+) -->\n```(?:ts|yaml)\n([\s\S]*?)\n```/g)];

  it('cuts every TypeScript snippet from a sample', () => {
    expect(readme.match(/```(?:ts|yaml)\n/g)).to.have.length(snippets.length);
    expect(snippets.length).to.be.greaterThan(2);
    for (const [, path, snippet] of snippets) expect(read(path as string), path).to.include(snippet as string);
  });

  it('names only files that are there', () => {
    const paths = [...readme.matchAll(/(?:samples|spec|lib)\/[\w./-]+\.\w+|\b[A-Z]+\.md\b/g)].map(([path]) => path);
    for (const path of paths) expect(() => read(path), path).not.to.throw();
  });

  it('names only scripts and entry points that the package has', () => {
    const { scripts, exports } = JSON.parse(read('package.json'));
    for (const [, script] of readme.matchAll(/npm run (?:-s )?([a-z:]+)/g))
      expect(scripts).to.have.property(script as string);
    for (const [, entry] of readme.matchAll(/^\| `hookline\/([a-z-]+)`/gm))
      expect(exports).to.have.property(`./${entry}`);
  });
});
