import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAgent, createPipeline } from 'hookline';
import { createLiveHooks } from 'hookline/config';
import { replay } from 'hookline/replay';
import { recordedRun, scriptedModel } from 'hookline/testing';
import { originOf } from '../../lib/hooks/recorder/hook-origin.ts';
import { createRecording } from '../../lib/hooks/recorder/recording.ts';
import { openRecordings } from '../../lib/server/recordings/open-recordings.ts';
import { recordingFileIn } from '../replay/recording-in.ts';
import { tempFolder } from '../temp-folder.ts';
import { written } from './read.ts';

interface Head {
  readonly version: number;
  readonly hookline?: string;
  readonly hooks?: readonly { readonly name: string; readonly kind?: string; readonly digest?: string }[];
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Returns the hooks of a configuration. */
async function live(hooks: object, env: Record<string, string> = {}) {
  const at = written({ 'hookline.json': { env: Object.keys(env), hooks } });
  const made = await createLiveHooks({ files: [at('hookline.json')], env });
  return { made, lease: await made.lease() };
}

/** Records a run under hooks, and returns the file and its first line. */
async function record(hooks: object, env: Record<string, string> = {}) {
  const folder = tempFolder('recorded-hooks');
  const { made, lease } = await live({ ...hooks, recorder: { type: 'recorder', options: { folder } } }, env);
  const agent = createAgent({ name: 'main', model: scriptedModel(['ok']), pipeline: lease.pipeline });
  await agent.call('Go.');
  lease.release();
  await made.close();
  const file = recordingFileIn(folder);
  const [line] = readFileSync(file, 'utf8').split('\n') as [string];
  return { file, line, head: JSON.parse(line) as Head };
}

const rules = (...allow: string[]) => ({ type: 'permission', options: { allow } });

describe('the header of a recording', () => {
  it('has the version of the package and the configured hooks with their kinds, without the recorder', async () => {
    const { head } = await record({ rules: rules('*'), scan: { type: 'security-scan' } });
    expect(head).to.include({ version: 1, hookline: version });
    expect(head.hooks?.map(({ name, kind }) => `${name} ${kind}`)).to.have.members([
      'rules permission',
      'scan security-scan',
    ]);
    for (const { digest } of head.hooks ?? []) expect(digest).to.match(/^[\da-f]{32}$/);
  });

  it('has another digest for other options or settings, and the same for the same ones', async () => {
    const digestOf = async (entry: object) => (await record({ rules: entry })).head.hooks?.[0]?.digest;
    const one = await digestOf(rules('*'));
    expect(await digestOf(rules('*'))).to.equal(one);
    expect(await digestOf(rules('read'))).to.not.equal(one);
    expect(await digestOf({ ...rules('*'), priority: 3 })).to.not.equal(one);
  });

  it('does not depend on secrets, marked or not, nor on variables, nor on the options of modules', async () => {
    const log = join(tempFolder('audit'), 'audit.jsonl');
    const secret = (key: string) => ({
      audit: { type: 'audit-log', options: { chain: true, chainKey: key, file: log } },
    });
    const digests = async (hooks: object, env = {}) => (await record(hooks, env)).head.hooks;
    expect(await digests(secret('1234'))).to.deep.equal(await digests(secret('5678')));
    const hinted = (text: string) => ({ hint: { type: 'prompt-hint', options: { hints: [{ text }] } } });
    const key = (end: string) => `Use AKIA${'Z7QWMX4T2NB5RKL'}${end}.`;
    expect(await digests(hinted(key('D')))).to.deep.equal(await digests(hinted(key('E'))));
    const variable = `\${PIN}`;
    expect(await digests(hinted(variable), { PIN: '1234' })).to.deep.equal(
      await digests(hinted(variable), { PIN: '5678' }),
    );
    expect(await digests(hinted('a'))).to.not.deep.equal(await digests(hinted('b')));
    const at = written({
      'own.cjs': `module.exports = () => ({ ...require('hookline').defineHook({ name: 'own', observe() {} }) });`,
    });
    const own = (pin: string) => ({ own: { type: 'module', path: at('own.cjs'), options: { pin } } });
    expect(await digests(own('1234'))).to.deep.equal(await digests(own('5678')));
  });

  it('names hooks of code without a digest', async () => {
    const lines: object[] = [];
    const file = {
      path: 'x',
      bytes: 0,
      append: (text: string) => void lines.push(JSON.parse(text)),
      second: () => file,
      remove() {},
    };
    const clean = { run: (run: unknown) => run } as never;
    const run = { runId: 'r', sessionId: 's', agent: 'a', depth: 0 } as never;
    createRecording(file as never, run, { maxBytes: 1e6, redacted: false, clean, hooks: [{ name: 'own' }] });
    expect(lines[0]).to.deep.include({ hooks: [{ name: 'own' }] });
  });
});

describe('a replay', () => {
  it('names the hooks that differ from those of the recording', async () => {
    const { file } = await record({ rules: rules('*'), gone: { type: 'word-filter', options: { words: ['x'] } } });
    const same = await live({ rules: rules('*'), gone: { type: 'word-filter', options: { words: ['x'] } } });
    expect((await replay(file, same.lease.pipeline)).hooks).to.deep.equal([]);
    const other = await live({ rules: rules('read'), more: { type: 'word-filter', options: { words: ['x'] } } });
    expect(originOf(other.lease.pipeline.hooks[0] as never)).to.have.property('kind');
    expect((await replay(file, other.lease.pipeline)).hooks).to.have.deep.members([
      { name: 'rules', change: 'options' },
      { name: 'more', change: 'added' },
      { name: 'gone', change: 'removed' },
    ]);
    for (const { made, lease } of [same, other]) {
      lease.release();
      await made.close();
    }
    expect((await replay(file, createPipeline([]))).hooks).to.have.lengthOf(2);
  });

  it('reads a header without version and hooks, and names no differences then', async () => {
    const { file, line, head } = await record({ rules: rules('*') });
    const { hookline: _, hooks: __, ...older } = head;
    writeFileSync(file, readFileSync(file, 'utf8').replace(line, JSON.stringify(older)));
    const made = await replay(file, createPipeline([]));
    expect(made).to.deep.include({ hooks: [], recordedBy: undefined });
    expect(recordedRun(file)).to.include({ complete: true });
    expect(openRecordings([file]).list()).to.have.lengthOf(1);
  });
});
