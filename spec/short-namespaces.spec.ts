import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { parseAst } from 'rollup/parseAst';
import { root } from './cli/hookline.ts';

type ShortNamespaces = (code: string, parse: typeof parseAst) => string;

describe('shortNamespaces', () => {
  let shortNamespaces: ShortNamespaces;
  before(async () => {
    // The compiler would replace an import with require().
    const load = new Function('url', 'return import(url)') as (
      url: string,
    ) => Promise<{ shortNamespaces: ShortNamespaces }>;
    ({ shortNamespaces } = await load(pathToFileURL(join(root, 'lib/short-namespaces.mjs')).href));
  });

  it('renames required modules, and nothing else', () => {
    const code = `const errors = require('./errors.js'), rules = require('./rules.js'), late = lateModule(() => require('pino'));
function rulesOf($0) { return rules.all($0.rules, 'rules', errors.of(late.level)); }`;
    expect(
      shortNamespaces(code, parseAst),
    ).to.equal(`const $1 = require('./errors.js'), $2 = require('./rules.js'), $3 = lateModule(() => require('pino'));
function rulesOf($0) { return $2.all($0.rules, 'rules', $1.of($3.level)); }`);
  });

  for (const local of ['(errors) => errors.map(f)', '{ errors: 1 }', '() => { let { errors } = f; }', 'f(errors)'])
    it(`keeps a name that the chunk also uses in another way: ${local}`, () => {
      const code = `const errors = require('./errors.js'); const other = ${local}; errors.of(1);`;
      expect(shortNamespaces(code, parseAst)).to.equal(code);
    });
});
