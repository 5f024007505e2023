import { mkdirSync, readdirSync, rmdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAgent, createPipeline, type Message, userMessage } from 'hookline';
import { fileSessions } from 'hookline/server';
import { scriptedModel } from 'hookline/testing';
import { firstValueFrom } from 'rxjs';
import { tempFolder } from '../../../temp-folder.ts';

const thrownBy = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: { code?: string }) => error.code,
    );

describe('fileSessions', () => {
  const open = () => {
    const folder = tempFolder('sessions');
    return { folder, lock: join(folder, 'turns', 's.json.lock'), sessions: fileSessions(folder) };
  };

  it('changes a session only in its turn, and leaves no lock', async () => {
    const { folder, sessions } = open();
    const { transcript } = sessions;
    const say = () => transcript.append('s', [userMessage('hi')]);
    expect(await thrownBy(say)).to.equal('STORE_CONFLICT');
    const release = await firstValueFrom(transcript.turn!('s'));
    expect(await thrownBy(say)).to.equal(undefined);
    release();
    expect(await thrownBy(say)).to.equal('STORE_CONFLICT');
    (await firstValueFrom(transcript.turn!('s')))();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(readdirSync(join(folder, 'turns'))).to.deep.equal([]);
    expect(await transcript.load('s')).to.have.length(1);
  });

  it('ends a wait when it is cancelled, and gives the turn to the next', async () => {
    const { sessions } = open();
    const { transcript } = sessions;
    const release = await firstValueFrom(transcript.turn!('s'));
    let got = 0;
    transcript.turn!('s')
      .subscribe(() => {
        got += 1;
      })
      .unsubscribe();
    const next = firstValueFrom(transcript.turn!('s'));
    release();
    (await next)();
    expect(got).to.equal(0);
  });

  it('fails a run whose turn another process has taken, and keeps the conversation', async () => {
    const { lock, sessions } = open();
    const { transcript } = sessions;
    let asked = 0;
    const model = scriptedModel(['one', 'two']);
    const pipeline = createPipeline([sessions.turnHook('s')], {
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    const agent = createAgent({
      name: 'a',
      pipeline,
      transcript,
      model(...given) {
        asked += 1;
        // The process was stopped, and the lock was taken meanwhile.
        rmdirSync(lock);
        mkdirSync(lock);
        utimesSync(lock, 1, 1);
        return model(...given);
      },
    });
    expect((await agent.call('go', { sessionId: 's' })).outcome).to.equal('failed');
    expect([asked, ((await transcript.load('s')) as readonly Message[]).map(({ role }) => role)]).to.deep.equal([
      1,
      ['user'],
    ]);
  });
});
