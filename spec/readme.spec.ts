import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { builtIns, createCatalogue, memoryStateStore } from '../lib/hooks/index.ts';
import { neededOptions } from './hooks/needed-options.ts';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Removes the indentation, which a snippet loses when it is taken from a block. */
const flush = (text: string) => text.replaceAll(/^ +/gm, '');

// Pages in folders of samples/hooks are input of its programs.
const guides = readdirSync(join(root, 'samples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !/^hooks\/.+\//.test(name))
  .map((name) => join('samples', name));

/** Snippets without a program: a call with all its options, and lines that need a package of spec/clients. */
const UNCUT: Readonly<Record<string, number>> = {
  'samples/process-hook-2/README.md': 1,
  'samples/loops/ai-sdk.md': 2,
  'samples/loops/langchain.md': 2,
  'samples/loops/mastra.md': 2,
  'samples/loops/mcp.md': 1,
  'samples/loops/openai-agents.md': 2,
  'samples/loops/strands.md': 2,
};

for (const page of ['README.md', ...guides]) {
  describe(page, () => {
    const text = read(page);
    const snippets = [...text.matchAll(/<!-- (samples\/\S+) -->\n```(?:ts|js|yaml|bash)\n([\s\S]*?)\n```/g)];

    it('takes every snippet from a sample', () => {
      const { [page]: uncut = 0 } = UNCUT;
      expect(text.match(/```(?:ts|js|yaml|bash)\n/g) ?? []).to.have.length(snippets.length + uncut);
      for (const [, path, snippet] of snippets) expect(flush(read(path!)), path).to.include(flush(snippet!));
    });

    it('links to and names only existing files', () => {
      const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => join(dirname(page), path!));
      const named = [...text.matchAll(/(?:samples|spec|lib)\/[\w./-]+\.\w+/g)]
        .map(([path]) => path)
        .filter((path) => !links.some((link) => link.endsWith(path)));
      for (const path of [...links, ...named]) expect(() => read(path), path).not.to.throw();
    });
  });
}

for (const page of ['README.md', 'samples/hooks/README.md'])
  it(`contains every built-in hook in running order in ${page}`, () => {
    const rowOf = page === 'README.md' ? /^- `([a-z-]+)`:/gm : /^\| `([a-z-]+)` +\| +(\d*)/gm;
    const names = builtIns.map(({ name }) => name);
    const found = [...read(page).matchAll(rowOf)].filter(([, name]) => names.includes(name!));
    const rows = found.map(([, name]) => name as string);
    expect([...rows].sort()).to.deep.equal([...names].sort());
    const catalogue = createCatalogue(builtIns);
    const host = { store: memoryStateStore() };
    const priorities = rows.map((name) => catalogue.create(name, neededOptions[name], host).priority);
    expect(priorities).to.deep.equal([...priorities].sort((a, b) => a - b));
    const told = found.map(([, , priority]) => Number(priority));
    if (page !== 'README.md') expect(told).to.deep.equal(priorities);
  });

describe('README', () => {
  const readme = read('README.md');

  it('links to every guide', () => {
    for (const guide of guides.filter((path) => dirname(path) !== 'samples'))
      expect(readme, guide).to.include(`](${guide})`);
  });

  it('names only scripts of the package', () => {
    const { scripts } = JSON.parse(read('package.json'));
    for (const [, script] of readme.matchAll(/npm run (?:-s )?([a-z:]+)/g))
      expect(scripts).to.have.property(script as string);
  });

  it('has at most 1,200 words', () => expect(readme.trim().split(/\s+/).length).to.be.at.most(1200));

  it('lists every entry point in the linked page of guides', () => {
    const { exports } = JSON.parse(read('package.json'));
    const entries = Object.keys(exports).filter((name) => name !== '.' && name !== './package.json');
    const guide = read('samples/README.md');
    expect(readme).to.include('](samples/README.md#entry-points)');
    for (const name of entries) expect(guide, name).to.include(`| \`hookline${name.slice(1)}\``);
    for (const [, entry] of guide.matchAll(/^\| `hookline\/([a-z-]+)`/gm))
      expect(exports).to.have.property(`./${entry}`);
  });

  it('prints the output of its first example', () => {
    const [, printed] = /It prints:\n\n```\n([\s\S]*?)\n```/.exec(readme) ?? [];
    const samples = read('spec/samples/samples.spec.ts');
    for (const line of printed!.split('\n')) expect(samples).to.include(`'${line}'`);
  });
});
