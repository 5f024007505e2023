import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { HooklineError } from 'hookline';
import { createHookConfigs, createLiveHooks, memoryStore } from 'hookline/config';
import {
  createServer,
  createTokens,
  fileRunStore,
  listen,
  openRecordings,
  recordingRoutes,
  replayRoutes,
} from 'hookline/server';
import { tempFolder } from '../../temp-folder.ts';
import { head, line, longRecording } from '../page/a-recording.ts';

const folder = tempFolder('recordings');
const run = { runId: 'big', sessionId: 's', agent: 'writer', depth: 0 };
const preCall = { seq: 0, time: 1, type: 'preCall', run, iteration: 0, messages: [] };
const postCall = { seq: 1, time: 2, type: 'postCall', run, iteration: 0, outcome: 'completed' };

/** Writes a file below the folder, with an age in seconds. */
function written(name: string, text: string, age = 0): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const time = Date.now() / 1_000 - age;
  utimesSync(file, time, time);
  return file;
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

describe('recordings of a directory', () => {
  it('lists recordings and logs of a run store, the newest first, and ignores other files', async () => {
    written('a/old.jsonl', longRecording(100), 90);
    written('a/audit.jsonl', '{"level":30}\n');
    written('a/empty.jsonl', '');
    written('a/notes.txt', head());
    symlinkSync('/dev/zero', join(folder, 'a/zero.jsonl'));
    const store = fileRunStore(join(folder, 'a/runs'));
    await store.append({ user: 'ada', runId: 'big' }, { entries: [{ event: preCall as never }] });
    const recordings = openRecordings([join(folder, 'a')]);
    const [log, old, ...others] = recordings.list();
    expect(others).to.deep.equal([]);
    expect([log?.name, old?.name]).to.satisfy(
      ([of, name]: string[]) => /^runs\/.*\.jsonl$/.test(of!) && name === 'old.jsonl',
    );
    const [first, second] = (await textOf(log!.read())).split('\n');
    expect(JSON.parse(first!)).to.deep.include({ format: 'hookline-recording', run });
    expect(JSON.parse(second!).event.type).to.equal('preCall');
    expect(log!.bytes).to.equal((await textOf(log!.read())).length);
  });

  it('finds recordings that appear later, and forgets removed ones', () => {
    mkdirSync(join(folder, 'b'));
    const recordings = openRecordings([join(folder, 'b')]);
    expect(recordings.list()).to.deep.equal([]);
    const file = written('b/new.jsonl', head());
    const [found] = recordings.list();
    expect(found?.run.agent).to.equal('writer');
    appendFileSync(file, line(preCall));
    expect(recordings.find(found!.id)!.bytes).to.be.above(found!.bytes);
  });

  it('reads from a position, also within the header that a log lacks', async () => {
    const file = written('c/log.jsonl', line(preCall));
    const [log] = openRecordings([file]).list();
    const whole = await textOf(log!.read());
    for (const from of [0, 1, 50, whole.length - 10, whole.length, whole.length + 5])
      expect(await textOf(log!.read(from)), String(from)).to.equal(whole.slice(from));
  });

  it('follows a growing file until a minute after its last change', async () => {
    const file = written('d/live.jsonl', head());
    const reader = openRecordings([file]).list()[0]!.read(0, true).getReader();
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).to.equal(head());
    const more = next();
    appendFileSync(file, line(preCall));
    expect(await more).to.equal(line(preCall));
    const end = reader.read();
    const past = Date.now() / 1_000 - 61;
    utimesSync(file, past, past);
    expect((await end).done).to.equal(true);
  });

  it('stops to follow a file that is replaced, removed or truncated', async () => {
    const changes = [
      (file: string) => renameSync(written('f/other.jsonl', head() + line(preCall) + line(postCall)), file),
      (file: string) => rmSync(file),
      (file: string) => truncateSync(file, 10),
    ];
    for (const change of changes) {
      const file = written('f/live.jsonl', head());
      const reader = openRecordings([file]).list()[0]!.read(0, true).getReader();
      expect(new TextDecoder().decode((await reader.read()).value)).to.equal(head());
      const more = reader.read();
      change(file);
      expect((await more).done, String(change)).to.equal(true);
    }
  });

  it('is listed and read over HTTP, with clear errors', async () => {
    const file = written('e/one.jsonl', head() + line(preCall) + line(postCall), 100);
    const live = await createLiveHooks({ files: [] });
    const store = memoryStore();
    const tokens = createTokens(store);
    const extra = [recordingRoutes(openRecordings([dirname(file)]))];
    const server = createServer({ configs: createHookConfigs(live, store), live, tokens, extra });
    const listening = await listen(server, tokens);
    const headers = { authorization: `Bearer ${await tokens.issue({ user: 'ada', rights: ['read'] })}` };
    const get = (path: string) => fetch(`${listening.url}/api/recordings${path}`, { headers });
    const { recordings } = (await (await get('')).json()) as { recordings: { id: string; agent: string }[] };
    const [{ id, agent }] = recordings as [{ id: string; agent: string }];
    expect(agent).to.equal('writer');
    expect(await (await get(`/${id}?from=${head().length}`)).text()).to.equal(line(preCall) + line(postCall));
    expect((await get(`/${id}?from=-1`)).status).to.equal(422);
    expect((await get(`/${id}?form=1`)).status).to.equal(422);
    expect((await get('/other')).status).to.equal(404);
    await live.close();
    await listening.close();
  });

  it('is replayed again after a failure, and otherwise only if the file has changed', async () => {
    const file = written('r/one.jsonl', head() + line(preCall) + line(postCall), 100);
    const recordings = openRecordings([file]);
    const { id } = recordings.list()[0]!;
    const done = { hooks: [], runs: [] };
    const answers: (() => object)[] = [
      () => {
        throw new HooklineError('INPUT_INVALID', 'The policy is invalid.');
      },
      () => done,
      () => done,
    ];
    const replay = async () => answers.shift()!() as never;
    const live = await createLiveHooks({ files: [] });
    const store = memoryStore();
    const tokens = createTokens(store);
    const extra = [replayRoutes({ recordings, replay })];
    const server = createServer({ configs: createHookConfigs(live, store), live, tokens, extra });
    const listening = await listen(server, tokens);
    const headers = { authorization: `Bearer ${await tokens.issue({ user: 'ada', rights: ['read'] })}` };
    const status = async () => (await fetch(`${listening.url}/api/recordings/${id}/replay`, { headers })).status;
    expect(await status()).to.equal(422);
    expect(await status()).to.equal(200);
    expect(await status()).to.equal(200);
    expect(answers).to.have.length(1);
    appendFileSync(file, line(postCall));
    expect(await status()).to.equal(200);
    expect(answers).to.have.length(0);
    await live.close();
    await listening.close();
  });

  it('rejects a given file that is not a recording', () => {
    const file = written('f/audit.jsonl', '{"level":30}\n');
    expect(() => openRecordings([file])).to.throw('its first line is not the header of a recording');
    expect(() => openRecordings([join(folder, 'missing')])).to.throw('ENOENT');
  });
});
