import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { HooklineError, type SettledEvent } from 'hookline';
import { fileRunStore, memoryRunStore, type RunStore, type Runs } from 'hookline/server';
import { pino } from 'pino';
import { toJson } from '../../../lib/events/values/to-json.ts';
import { createRecorder } from '../../../lib/server/records/recorder.ts';
import { turnHook } from '../../../lib/server/runs/take-over/turn-hook.ts';
import { tempFolder } from '../../temp-folder.ts';
import { aStream } from '../a-stream.ts';
import { aHouse, paying } from '../runs/a-house.ts';

const key = { user: 'alice', runId: 'r' };
const PLENTY = 1_000_000;
const full = () => new HooklineError('STORE_FAILED', 'the disk is full');

/** A store whose appends `fails` may reject, after it has stored the first entries. */
function failing(fails: (append: number) => { readonly stores: number } | undefined) {
  const sound = memoryRunStore();
  let appends = 0;
  const store: RunStore = {
    ...sound,
    async append(run, addition) {
      appends += 1;
      const failure = fails(appends);
      if (!failure) return sound.append(run, addition);
      const entries = addition.entries?.slice(0, failure.stores) ?? [];
      if (entries.length > 0) await sound.append(run, { entries });
      throw full();
    },
  };
  return { store, sound };
}

function recording(store: RunStore, left = PLENTY) {
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  const { gate } = aStream();
  const room = { left };
  const recorder = createRecorder(store, key, { log, room });
  const events: SettledEvent[] = [];
  return {
    recorder,
    room,
    logged,
    events,
    record(count = 1) {
      for (let nth = 0; nth < count; nth += 1) {
        const event = gate();
        events.push(event);
        recorder.event(event);
      }
    },
  };
}

const seqsIn = async (store: RunStore) =>
  (await store.read(key)).entries.map(({ event, lost }) => (event as { seq?: number } | undefined)?.seq ?? { lost });

describe('the record of a run whose store fails', () => {
  for (const stores of [0, 1, 2, 3])
    it(`has each event once and in order, if an append of three fails after ${stores}`, async () => {
      const { store, sound } = failing((append) => (append === 1 ? { stores } : undefined));
      const { recorder, record, room, events } = recording(store);
      record(3);
      expect(await recorder.stored()).to.equal(false);
      record(2);
      expect(await recorder.stored()).to.equal(true);
      expect(await seqsIn(sound)).to.deep.equal(events.map(({ seq }) => seq));
      expect(room.left).to.equal(PLENTY);
    });

  it('is complete without a further event', async () => {
    const { store, sound } = failing((append) => (append <= 2 ? { stores: 0 } : undefined));
    const { recorder, record, logged } = recording(store);
    record(2);
    await recorder.flush();
    while ((await seqsIn(sound)).length < 2) await sleep(20);
    expect([await recorder.stored(), logged]).to.deep.equal([true, ['a run could not be recorded']]);
  });

  it('keeps its events while the store cannot be read', async () => {
    const { store, sound } = failing((append) => (append === 1 ? { stores: 1 } : undefined));
    let isAway = true;
    const away = {
      ...store,
      read: async (...given: Parameters<RunStore['read']>) => (isAway ? Promise.reject(full()) : store.read(...given)),
    };
    const { recorder, record, events } = recording(away);
    record(2);
    for (let times = 0; times < 2; times += 1) expect(await recorder.stored()).to.equal(false);
    record();
    expect(await recorder.stored()).to.equal(false);
    isAway = false;
    expect(await recorder.stored()).to.equal(true);
    expect(await seqsIn(sound)).to.deep.equal(events.map(({ seq }) => seq));
  });

  it('has each event once in files, if only the head could not be written', async () => {
    const folder = tempFolder('runs');
    const store = fileRunStore(folder);
    const { recorder, record, events } = recording(store);
    const head = join(folder, 'alice', 'r.json');
    mkdirSync(head, { recursive: true });
    const startedAt = new Date().toISOString();
    recorder.view({ runId: 'r', sessionId: 's', agent: 'a', state: 'running', startedAt });
    record(2);
    expect(await recorder.stored()).to.equal(false);
    expect(await seqsIn(store)).to.have.length(2);
    rmdirSync(head);
    record();
    expect(await recorder.stored()).to.equal(true);
    expect(await seqsIn(store)).to.deep.equal(events.map(({ seq }) => seq));
    expect(await store.find(key)).to.have.property('version', 1);
  });

  it('states how many events were lost, once there is no room, and is not complete from then on', async () => {
    let isFull = true;
    const { store, sound } = failing(() => (isFull ? { stores: 0 } : undefined));
    const { recorder, record, logged, events, room } = recording(store, 900);
    record(1);
    expect(await recorder.stored()).to.equal(false);
    record(20);
    const lost = async () => recorder.stored().catch((error) => error);
    expect(await lost()).to.have.property('code', 'STORE_FAILED');
    isFull = false;
    for (let times = 0; times < 2; times += 1)
      expect(String(await lost())).to.include('Events of this run were lost, because its store failed for too long');
    record();
    await recorder.flush();
    expect(logged).to.deep.equal([
      'a run could not be recorded',
      'events of a run are lost, because they could not be recorded',
    ]);
    const seqs = await seqsIn(sound);
    const kept = seqs.filter((seq) => typeof seq === 'number');
    const [mark, ...more] = seqs.filter((seq) => typeof seq === 'object') as { lost: number }[];
    expect(more).to.deep.equal([]);
    expect(kept[0]).to.equal(events[0]?.seq);
    expect(kept.length + Number(mark?.lost)).to.equal(events.length);
    expect(room.left).to.equal(900);
  });

  for (const [what, fails] of [
    ['a store that is down', (append: number) => (append <= 2 ? { stores: 0 } : undefined)],
    ['a store that rejects it', () => undefined],
  ] as const)
    it(`loses only an event that is not JSON, with ${what}`, async () => {
      const { store, sound } = failing(fails);
      const rejecting: RunStore = {
        ...store,
        append: async (run, addition) => store.append(run, toJson(addition, 'addition') as typeof addition),
      };
      const { recorder, record } = recording(rejecting);
      const { gate } = aStream();
      record(2);
      await recorder.flush();
      recorder.event({ ...gate(), notes: [{ by: 'h', code: 'c', message: 'm', data: 1n }] } as never);
      await recorder.flush();
      record(1);
      await recorder.flush();
      await recorder.flush();
      expect(await seqsIn(sound)).to.deep.equal([0, 1, 2, { lost: 1 }]);
      const reason = await recorder.stored().catch(String);
      expect(reason).to.include('Events of this run were lost, because they are not JSON. No further call runs');
    });

  it('states the end of the run once the store works', async () => {
    let isFull = true;
    const { store, sound } = failing(() => (isFull ? { stores: 0 } : undefined));
    const { recorder, record } = recording(store);
    record();
    const view = {
      runId: 'r',
      sessionId: 's',
      agent: 'a',
      state: 'ended',
      startedAt: new Date().toISOString(),
    } as const;
    const error = await recorder.conclude(view).catch((thrown) => thrown);
    expect(error).to.have.property('message', 'the disk is full');
    isFull = false;
    while (!(await sound.find(key))) await sleep(20);
    expect([await seqsIn(sound), (await sound.find(key))?.['view']]).to.deep.equal([[0], view]);
  });
});

describe('a call whose events are to be stored before it runs', () => {
  /** A run with one call. Appends fail as long as `isFull`. */
  async function aRun() {
    const state = { isFull: true };
    const { store } = failing(() => (state.isFull ? { stores: 0 } : undefined));
    const turns: { runs?: Runs } = {};
    const hook = turnHook(
      () => true,
      (runId) => (turns.runs as Runs).stored(runId),
    );
    const house = aHouse({ model: paying(1), hooks: [hook], runStore: store });
    turns.runs = house.runs;
    const { json: run } = await house.post('/api/runs', { prompt: 'pay' });
    return { ...house, state, store, run: { user: 'alice', runId: run.runId as string } };
  }

  it('waits for a store that fails, and its events are there first', async () => {
    const { state, pay, runs, run, store } = await aRun();
    await sleep(500);
    expect(pay.calls).to.have.length(0);
    state.isFull = false;
    while (pay.calls.length === 0) await sleep(5);
    const types = (await store.read(run)).entries.map(({ event }) => (event as { type?: string }).type);
    expect(types.slice(0, 4).filter((type) => type !== 'reasoningChunk'))
      .to.include('preCall')
      .and.include('preActing');
    await runs.drain(5_000);
  });
});
