import { posix } from 'node:path';
import { expect } from 'chai';
import * as packageJson from 'hookline/package.json';
import { errorCodes } from '../../lib/errors.ts';
import { builtIns } from '../../lib/hooks/built-ins.ts';
import { filesOfSite, readSite } from './a-site.ts';

interface Links {
  readonly anchors: ReadonlySet<string>;
  readonly targets: readonly string[];
  /** Files that the page loads: scripts, styles, images. */
  readonly loads: readonly string[];
}

const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x3C;', '<').replaceAll('&lt;', '<');

function linksOf(html: string): Links {
  const values = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value]) => plain(value as string));
  return {
    anchors: new Set(values(/\sid="([^"]+)"/g)),
    targets: values(/<a\s[^>]*?href="([^"]+)"/g),
    loads: [...values(/\ssrc="([^"]+)"/g), ...values(/<link\s[^>]*?href="([^"]+)"/g)],
  };
}

const isExternal = (target: string) => /^(?:[a-z]+:|\/\/)/i.test(target);

describe('a link of the site', () => {
  let files: ReadonlySet<string>;
  const pages = new Map<string, Links>();

  before(() => {
    files = new Set(filesOfSite());
    for (const file of files) if (file.endsWith('.html')) pages.set(file, linksOf(readSite(file)));
  });

  /** Returns the file of a link, and its anchor. */
  function resolve(page: string, target: string): readonly [file: string, anchor: string] {
    const [path = '', anchor = ''] = target.split('#');
    const joined = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page), path);
    const file = path === '' ? page : decodeURIComponent(joined.split('?')[0] as string);
    return [files.has(file) ? file : posix.join(file, 'index.html'), decodeURIComponent(anchor)];
  }

  it('leads to an existing page or file, and to an existing anchor', () => {
    const dead: string[] = [];
    let count = 0;
    for (const [page, { targets }] of pages) {
      for (const target of new Set(targets.filter((one) => !isExternal(one)))) {
        const [file, anchor] = resolve(page, target);
        const { anchors } = pages.get(file) ?? {};
        if (!files.has(file) || (anchor !== '' && anchors && !anchors.has(anchor))) dead.push(`${page}: ${target}`);
        count += 1;
      }
    }
    expect(dead).to.deep.equal([]);
    expect(count).to.be.greaterThan(5000);
  });

  it('loads nothing from other hosts', () => {
    const loaded = [...pages].flatMap(([page, { loads }]) => loads.map((target) => [page, target] as const));
    const foreign = loaded.filter(([, target]) => isExternal(target) && !target.startsWith('data:'));
    const missing = loaded.filter(([page, target]) => !isExternal(target) && !files.has(resolve(page, target)[0]));
    expect([...foreign, ...missing]).to.deep.equal([]);
    expect(loaded).not.to.be.empty;
  });

  it('contains no path of the build machine', () => {
    const places = [...pages.keys()].filter((page) => readSite(page).includes(process.cwd()));
    expect(places).to.deep.equal([]);
  });

  for (const { name } of builtIns)
    it(`leads to the page of ${name} with examples in code and YAML, options and guarantees`, () => {
      const html = readSite(`hooks/${name}.html`);
      expect([...(pages.get(`hooks/${name}.html`)?.anchors ?? [])]).to.include.members(['options', 'guarantees']);
      for (const part of ['language-yaml', 'language-ts', '<td>Cost</td>', '<td>Sub-agents</td>'])
        expect(html, part).to.include(part);
    });

  for (const [subpath] of Object.entries(packageJson.exports).filter(([, one]) => typeof one !== 'string')) {
    const name = subpath.replace('.', 'hookline');
    it(`leads to the API of ${name} and each of its names`, () => {
      const { targets = [] } = pages.get(`api/${name}/index.html`) ?? {};
      const names = Object.keys(require(name) as object);
      expect(names).not.to.be.empty;
      expect(names.filter((one) => !targets.some((target) => target.endsWith(`/${one}.html`)))).to.deep.equal([]);
    });
  }

  it('leads from a function to the type of its options, with their fields', () => {
    const { targets = [] } = pages.get('api/hookline/hooks/functions/budget.html') ?? {};
    const options = 'api/hookline/hooks/type-aliases/BudgetOptions.html';
    expect(targets).to.include(`/${options}`);
    expect([...(pages.get(options)?.anchors ?? [])]).to.include.members(['limits', 'prices']);
  });

  it('leads from the search to names of the API, not to headings such as Parameters, and not to source files', () => {
    const index = readSite([...files].find((file) => file.includes('localSearchIndexroot')) as string);
    expect(index).to.include('/api/hookline/functions/defineHook.html');
    expect(index).not.to.match(/#(?:parameters|returns)"/);
    expect(index).not.to.include('/source/');
  });

  it('leads to an anchor for every error code', () => {
    const anchors = [...(pages.get('reference/errors.html')?.anchors ?? [])];
    expect(anchors).to.include.members(Object.keys(errorCodes).map((code) => code.toLowerCase()));
  });
});
