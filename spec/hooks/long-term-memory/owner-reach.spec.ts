import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { concatMap, firstValueFrom, Subject, throwError, timer } from 'rxjs';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import { tempFolder } from '../../temp-folder.ts';
import { scene } from './memory-scene.ts';

const ann = { userId: 'ann', sessionId: 's1' };
const bob = { userId: 'bob', sessionId: 's2' };
const broken = () => ({ ...memoryStateStore(), set: () => throwError(() => new Error('disk full')) });

/** The contents of the files in a folder. */
function textIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
}

describe('the control of an owner over memories', () => {
  it('lists, exports and forgets what the store did not accept, and no later process recalls it', async () => {
    const stateFolder = tempFolder('state');
    const { say, memory } = scene({ host: { stateFolder, store: broken() } });
    await say('My cat is called Mia.', ann);
    await say('My dog is called Rex.', bob);
    const [mia, ...others] = await firstValueFrom(memory.list({ userId: 'ann' }));
    expect([mia?.text, others.length]).to.deep.equal(['User: My cat is called Mia.\nAssistant: Noted.', 0]);
    expect(await firstValueFrom(memory.export({ userId: 'ann' }))).to.equal(`${JSON.stringify(mia)}\n`);
    expect(await firstValueFrom(memory.forget({ userId: 'ann' }))).to.equal(1);
    expect(textIn(stateFolder)).to.contain('Rex').and.not.to.contain('Mia');
    const later = scene({ host: { stateFolder } });
    await later.say('What is my cat called?', { ...ann, sessionId: 's3' });
    expect(later.told()).to.deep.equal([]);
    await later.say('What is my dog called?', { ...bob, sessionId: 's4' });
    expect(later.told()).to.deep.equal(['User: My dog is called Rex.\nAssistant: Noted.']);
  });

  it('forgets one of several leftover memories', async () => {
    const stateFolder = tempFolder('state');
    const { say, memory } = scene({
      host: { stateFolder, store: broken() },
      options: { extract: () => ['a cat', 'a dog'] },
    });
    await say('My pets.', ann);
    const [cat] = (await firstValueFrom(memory.list(ann))).filter(({ text }) => text === 'a cat');
    expect(await firstValueFrom(memory.forget(ann, 'no such id'))).to.equal(0);
    expect(await firstValueFrom(memory.forget(ann, cat?.id))).to.equal(1);
    expect(textIn(stateFolder)).to.contain('a dog').and.not.to.contain('a cat');
    expect((await firstValueFrom(memory.list(ann))).map(({ text }) => text)).to.deep.equal(['a dog']);
  });

  it('forgets memories in extraction or on their way to the store', async () => {
    for (const asks of [true, false]) {
      const stateFolder = tempFolder('state');
      const store = memoryStateStore();
      const asked = new Subject<readonly string[]>();
      const slow: typeof store = { ...store, set: (...args) => timer(30).pipe(concatMap(() => store.set(...args))) };
      const { agent, pipeline, memory } = scene({
        host: { stateFolder, store: slow },
        options: asks ? { extract: () => asked } : {},
      });
      await agent.call('My cat is called Mia.', ann);
      await firstValueFrom(timer(5));
      await firstValueFrom(memory.forget({ userId: 'ann' }));
      asked.next(['a cat']);
      asked.complete();
      await pipeline.flush();
      expect(await firstValueFrom(memory.list({ userId: 'ann' })), String(asks)).to.deep.equal([]);
      expect(await firstValueFrom(store.list([])), String(asks)).to.deep.equal([]);
    }
  });

  it('covers all sessions of a user for any `per`', async () => {
    const store = memoryStateStore();
    const bySession = scene({ host: { store }, options: { per: 'session' } });
    await bySession.say('one', ann);
    await bySession.say('two', { ...ann, sessionId: 's9' });
    await bySession.say('three', { sessionId: 's1' });
    await bySession.say('four', { userId: 'ann2', sessionId: 's1' });
    const { memory } = scene({ host: { store } });
    expect(await firstValueFrom(memory.list({ userId: 'ann' }))).to.have.length(2);
    expect(await firstValueFrom(memory.forget({ userId: 'ann' }))).to.equal(2);
    expect(await firstValueFrom(store.list(['long-term-memory']))).to.have.length(2);
  });

  it('keeps leftovers of other hooks and removes unreadable ones', async () => {
    const stateFolder = tempFolder('state');
    const folder = join(stateFolder, 'long-term-memory-left');
    mkdirSync(folder);
    const left = { owner: ann, memories: [{ id: 'm1', text: 'rain', at: Date.now(), sessionId: 's1' }] };
    writeFileSync(join(folder, 'left-1.json'), JSON.stringify({ hook: 'other', ...left }));
    writeFileSync(join(folder, 'left-2.json'), '{"owner": "an');
    const { memory, say, told } = scene({ host: { stateFolder } });
    await say('rain?', { ...ann, sessionId: 's2' });
    expect(told()).to.deep.equal([]);
    await firstValueFrom(memory.forget({})).then(
      () => expect.fail('it forgot for no owner'),
      (thrown) => expect(thrown).to.include({ code: 'INPUT_INVALID' }),
    );
    expect(readdirSync(folder).sort()).to.deep.equal(['left-1.json', 'left-2.json']);
    await firstValueFrom(memory.forget({ userId: 'ann' }));
    expect(readdirSync(folder)).to.deep.equal(['left-1.json']);
  });
});
