import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { staysIn } from '../../../lib/hooks/files/stays-in.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('staysIn', () => {
  it('follows all links and treats dangling ones as outside', () => {
    const [folder, outside] = [realpathSync(tempFolder('inside')), tempFolder('outside')];
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, '..a'), '');
    symlinkSync(outside, join(folder, 'out'));
    symlinkSync(join(folder, 'out'), join(folder, 'out-again'));
    symlinkSync(join(folder, 'sub'), join(folder, 'in'));
    symlinkSync(join(folder, 'none'), join(folder, 'dangling'));
    const inside = ['', 'sub', 'in', '..a', 'sub/..'].map((path) => staysIn(folder, join(folder, path)));
    expect(inside).to.deep.equal([true, true, true, true, true]);
    const others = ['..', 'out', 'out-again', 'dangling', 'none', 'sub/../..'];
    for (const path of others) expect(staysIn(folder, join(folder, path)), path).to.equal(false);
  });
});
