import { statSync } from 'node:fs';
import { appendFile, lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { lastValueFrom, of } from 'rxjs';
import { assistantMessage, createAgent, HooklineError, userMessage } from '../../../lib/index.ts';
import { fileTranscript } from '../../../lib/store/transcripts/file-transcript.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('fileTranscript', () => {
  let folder: string;
  beforeEach(() => {
    folder = tempFolder('transcript');
  });

  const messages = [userMessage('line one\nline two'), assistantMessage('yes \u2028 no')];

  it('returns the appended messages, also from another instance', async () => {
    await fileTranscript(folder).append('s', messages);
    await fileTranscript(folder).append('s', [userMessage('more')]);
    expect(await fileTranscript(folder).load('s')).to.deep.equal([...messages, userMessage('more')]);
  });

  it('loads nothing for an unknown session', async () => {
    expect(await fileTranscript(folder).load('nobody')).to.deep.equal([]);
  });

  it('keeps the first messages when truncated, and leaves no temporary file', async () => {
    const store = fileTranscript(folder);
    await store.append('s', messages);
    await store.truncate('s', 1);
    expect(await store.load('s')).to.deep.equal(messages.slice(0, 1));
    expect(await readdir(folder)).to.deep.equal(['s.jsonl']);
  });

  it('separates sessions whose names collide in a file system or contain path traversal', async () => {
    const store = fileTranscript(folder);
    const names = ['a', 'A', '../a', 'a/b', 'a b', 'ä', 'con.', '.'.repeat(300)];
    for (const name of names) await store.append(name, [userMessage(name)]);
    for (const name of names) expect(await store.load(name)).to.deep.equal([userMessage(name)]);
    expect(await readdir(folder)).to.have.length(names.length);
  });

  it('ignores a last line cut by a crash and continues after it', async () => {
    const store = fileTranscript(folder);
    await store.append('s', messages);
    await appendFile(join(folder, 's.jsonl'), '{"role":"user","par');
    expect(await store.load('s')).to.deep.equal(messages);
    await store.append('s', [userMessage('on')]);
    expect(await store.load('s')).to.deep.equal([...messages, userMessage('on')]);
  });

  it('writes nothing that it could not read back', async () => {
    const store = fileTranscript(folder);
    await store.append('s', messages);
    for (const misfit of [{ role: 'user', content: 'hello' }, 5, undefined]) {
      const given = [userMessage('more'), misfit as never];
      const thrown = await Promise.resolve(store.append('s', given)).catch((error: unknown) => error);
      expect(thrown)
        .to.be.instanceOf(HooklineError)
        .with.property('message')
        .that.includes('s.jsonl')
        .and.includes('message 1');
    }
    expect(await store.load('s')).to.deep.equal(messages);
  });

  it('does not replace a session that it cannot read', async () => {
    const path = join(folder, 's.jsonl');
    await symlink(path, path);
    const thrown = await Promise.resolve()
      .then(() => fileTranscript(folder).append('s', messages))
      .catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error).with.property('code', 'ELOOP');
    expect((await lstat(path)).isSymbolicLink()).to.equal(true);
  });

  it('creates its folder and parents, owner-only', async () => {
    await fileTranscript(join(folder, 'a', 'b')).append('s', messages);
    for (const made of [join(folder, 'a'), join(folder, 'a', 'b')]) expect(statSync(made).mode & 0o777).to.equal(0o700);
  });

  it('reports a folder that it cannot create', async () => {
    await writeFile(join(folder, 'plain'), '');
    const thrown = await Promise.resolve()
      .then(() => fileTranscript(join(folder, 'plain', 'a')).append('s', messages))
      .catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error).with.property('code', 'ENOTDIR');
  });

  it('names file and line of any other damage and keeps the file', async () => {
    const store = fileTranscript(folder);
    await store.append('s', messages);
    const path = join(folder, 's.jsonl');
    const text = (await readFile(path, 'utf8')).replace('"assistant"', '"nobody"');
    await writeFile(path, text);
    const thrown = await Promise.resolve(store.load('s')).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(HooklineError).with.property('message').that.includes('s.jsonl:3');
    expect(await readFile(path, 'utf8')).to.equal(text);
  });

  it('carries a session from one agent to another', async () => {
    const seen: number[] = [];
    const model = (request: { messages: readonly unknown[] }) => {
      seen.push(request.messages.length);
      return of({ type: 'text' as const, delta: 'hello' });
    };
    const make = () => createAgent({ name: 'a', model, transcript: fileTranscript(folder) });
    await lastValueFrom(make().run('one', { sessionId: 's' }));
    await lastValueFrom(make().run('two', { sessionId: 's' }));
    expect(seen).to.deep.equal([1, 3]);
    expect(await fileTranscript(folder).load('s')).to.have.length(4);
  });
});
