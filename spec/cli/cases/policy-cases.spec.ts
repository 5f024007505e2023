import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { policyCases } from '../../../lib/cli/run/policy-cases.ts';
import { folder } from '../hookline.ts';

const expects = (action: string) => JSON.stringify({ cases: [{ call: { tool: 'pay', input: {} }, expect: action }] });
const denying = (tool: string) =>
  JSON.stringify({ hooks: { p: { type: 'permission', options: { allow: ['*'], deny: [tool] } } } });

/** The cases of a policy in a new folder, and a function that tells whether they pass. */
function cases(files: Readonly<Record<string, string>>) {
  const at = folder(files);
  const ask = policyCases([join(at, 'p.json')]);
  return { at, ask, passed: async () => (await ask()).cases.map(({ ok }) => ok) };
}

describe('the cases of the policies of a server', () => {
  it('run again only if a file has changed', async () => {
    const { at, ask, passed } = cases({ 'p.json': denying('other'), 'p.cases.json': expects('allow') });
    const first = await ask();
    expect(await ask()).to.equal(first);
    expect(await passed()).to.deep.equal([true]);
    writeFileSync(join(at, 'p.json'), denying('pay'));
    expect(await passed()).to.deep.equal([false]);
  });

  it('run again once a file that the policy includes is mended', async () => {
    const settings = JSON.stringify({ hooks: { c: { type: 'command', options: { settings: './s.json' } } } });
    const { at, ask, passed } = cases({ 'p.json': settings, 's.json': '{', 'p.cases.json': expects('allow') });
    expect((await ask()).error).to.match(/s\.json/);
    writeFileSync(join(at, 's.json'), '{ "hooks": {} }');
    expect((await ask()).error).to.equal(undefined);
    expect(await passed()).to.deep.equal([true]);
    writeFileSync(join(at, 's.json'), '{{');
    expect((await ask()).error).to.match(/s\.json/);
  });

  for (const changed of ['p.cases.json', 'm.js'])
    it(`run again if a file changes while they run: ${changed}`, async () => {
      const hook = (action: string) =>
        `require('hookline').defineHook({ name: 'm', approve: () => require('hookline').verdict.${action} })`;
      const later = { 'p.cases.json': expects('deny'), 'm.js': `module.exports = ${hook("deny('No.')")};` }[changed];
      const { passed } = cases({
        'p.json': JSON.stringify({ hooks: { m: { type: 'module', path: './m.js' } } }),
        // Changes a file that has been read, and this is one of them.
        'm.js': `require('node:fs').writeFileSync(require('node:path').join(__dirname, '${changed}'), ${JSON.stringify(later)});
          module.exports = ${hook('allow()')};`,
        'p.cases.json': expects('allow'),
      });
      expect(await passed()).to.deep.equal([true]);
      expect(await passed()).to.deep.equal([false]);
    });
});
