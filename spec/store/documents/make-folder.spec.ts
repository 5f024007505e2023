import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../../lib/store/documents/make-folder.ts';
import { hookline, root } from '../../cli/hookline.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('makeFolder', () => {
  it('makes what is missing, and gives the first folder that it has made', () => {
    const at = tempFolder('folders');
    expect(makeFolder(join(at, 'a/b/c'))).to.equal(join(at, 'a'));
    expect(makeFolder(join(at, 'a/b/c'))).to.equal(undefined);
    expect(existsSync(join(at, 'a/b/c'))).to.equal(true);
  });

  it('is how all of lib makes folders: mkdir with recursive never ends where none can be made', () => {
    const lib = join(root, 'lib');
    const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const others = files.filter((name) => /mkdir(Sync)?\([^;]*recursive/.test(readFileSync(join(lib, name), 'utf8')));
    expect(others).to.deep.equal([]);
  });

  for (const args of [
    ['serve', '--port', '0'],
    ['token', 'issue', '--user', 'ann'],
  ])
    it(`says at once that no folder can be made: ${args.join(' ')} --state /proc/nope`, async function () {
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
