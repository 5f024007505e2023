import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { leftBehind } from '../../../lib/hooks/long-term-memory/left-behind.ts';
import { root } from '../../cli/hookline.ts';
import { tempFolder } from '../../temp-folder.ts';
import { scene } from './memory-scene.ts';

describe('leftBehind', () => {
  it('saves memories on their way to the store when the process exits', async () => {
    const stateFolder = tempFolder('state');
    const child = join(__dirname, 'exit.child.ts');
    const flags = ['-C', 'hookline:source', '-r', 'ts-node/register'];
    await promisify(execFile)(process.execPath, [...flags, child, stateFolder], { cwd: root });
    const folder = join(stateFolder, 'long-term-memory-left');
    const [file, ...more] = readdirSync(folder).map((name) => join(folder, name));
    expect(more).to.deep.equal([]);
    expect(statSync(file as string).mode & 0o777).to.equal(0o600);
    const { say, told } = scene({ host: { stateFolder } });
    await say('What is my cat called?', { userId: 'ann', sessionId: 's2' });
    expect(told()).to.deep.equal(['User: My cat is called Mia.\nAssistant: Noted.']);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('listens for the exit only while it holds memories, and creates no empty folder', () => {
    const before = process.listenerCount('exit');
    const folder = join(tempFolder('state'), 'left');
    const left = leftBehind<string>(folder);
    const [one, two] = [left.hold('one'), left.hold('two')];
    expect(process.listenerCount('exit')).to.equal(before + 1);
    one.done();
    one.done();
    expect(process.listenerCount('exit')).to.equal(before + 1);
    two.done();
    expect(process.listenerCount('exit')).to.equal(before);
    expect(left.files()).to.deep.equal([]);
  });
});
