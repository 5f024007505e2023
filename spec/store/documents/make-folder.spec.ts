import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../../lib/store/documents/make-folder.ts';
import { hookline, root } from '../../cli/hookline.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('makeFolder', () => {
  it('creates missing folders and returns the first new one', () => {
    const at = tempFolder('folders');
    expect(makeFolder(join(at, 'a/b/c'))).to.equal(join(at, 'a'));
    expect(makeFolder(join(at, 'a/b/c'))).to.equal(undefined);
    expect(existsSync(join(at, 'a/b/c'))).to.equal(true);
  });

  it('is used in all of lib, because recursive mkdir may never return after a failure', () => {
    const lib = join(root, 'lib');
    const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const others = files.filter((name) => /mkdir(Sync)?\([^;]*recursive/.test(readFileSync(join(lib, name), 'utf8')));
    expect(others).to.deep.equal([]);
  });

  for (const args of [
    ['serve', '--port', '0'],
    ['token', 'issue', '--user', 'ann'],
  ])
    it(`reports at once that no folder can be created: ${args.join(' ')} --state /proc/nope`, async function () {
      if (!existsSync('/proc/self')) {
        console.log('      passed over: there is no /proc');
        this.skip();
      }
      const { code, stderr } = await hookline([...args, '--state', '/proc/nope'], {
        timeout: 30_000,
        killSignal: 'SIGKILL',
      });
      expect(stderr).to.include('/proc/nope');
      expect(code).to.equal(2);
    });
});
