import { appendFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileRunStore, type RunStore } from 'hookline/server';
import { createLogFiles } from '../../../lib/server/run-store/log-files.ts';
import { tempFolder } from '../../temp-folder.ts';

const run = { user: 'alice', runId: 'r' };
const head = { view: { state: 'running' } };
const taken = { view: { state: 'running' }, by: 'other' };

describe('a take-over of a run in files', () => {
  let folder: string;
  let store: RunStore;
  beforeEach(async () => {
    folder = tempFolder('runs');
    store = fileRunStore(folder);
    await store.append(run, { entries: [{ n: 1 }], head });
  });
  const files = () =>
    readdirSync(join(folder, 'alice'))
      .filter((name) => /\.jsonl?$/.test(name))
      .sort();
  const numbers = async () => (await fileRunStore(folder).read(run)).entries.flatMap(({ n }) => n ?? []);

  it('excludes what a writer adds that was stopped in the middle of an addition', async () => {
    const path = join(folder, 'log.jsonl');
    const [first, second] = [createLogFiles(false), createLogFiles(false)];
    await first.append(path, [{ n: 1 }], 'r');
    const { promises } = require('node:fs') as typeof import('node:fs');
    const { open } = promises;
    // The process stops before its write, and wakes up after the take-over.
    promises.open = (async (...given: Parameters<typeof open>) => {
      promises.open = open;
      const file = await open(...given);
      const write = file.write.bind(file) as (...args: unknown[]) => Promise<unknown>;
      return Object.assign(file, {
        async write(...args: unknown[]) {
          expect(await second.takeOver(path)).to.deep.equal({ entries: [{ n: 1 }], cut: false });
          return write(...args);
        },
      });
    }) as typeof open;
    const late = await first.append(path, [{ n: 2 }], 'r').catch((error) => error);
    expect(late).to.have.property('code', 'STORE_CONFLICT');
    expect(String(late)).to.include('taken over the run "r"');
    await second.append(path, [{ n: 3 }], 'r');
    expect((await createLogFiles(false).read(path, 0)).entries.map(({ n }) => n)).to.deep.equal([1, undefined, 3]);
  });

  it('succeeds after one that has crashed, and drops the line that the dead writer could not complete', async () => {
    appendFileSync(join(folder, 'alice', 'r.jsonl'), '{"n":2,"te');
    writeFileSync(join(folder, 'alice', 'r.1.jsonl'), '');
    const other = fileRunStore(folder);
    expect(await other.takeOver?.(run, head, taken)).to.deep.equal({ entries: [{ n: 1 }], cut: false });
    await other.append(run, { entries: [{ n: 3 }] });
    expect(await numbers()).to.deep.equal([1, 3]);
    const third = fileRunStore(folder);
    expect((await third.takeOver?.(run, taken, head))?.entries).to.have.length(3);
    await third.append(run, { entries: [{ n: 4 }] });
    expect(await numbers()).to.deep.equal([1, 3, 4]);
    expect(files()).to.deep.equal(['r.1.jsonl', 'r.2.jsonl', 'r.3.jsonl', 'r.json', 'r.jsonl']);
  });

  it('reports damage in the middle of a log', async () => {
    appendFileSync(join(folder, 'alice', 'r.jsonl'), 'damaged\n');
    expect(await fileRunStore(folder).takeOver?.(run, head, taken)).to.deep.equal({ entries: [{ n: 1 }], cut: true });
  });

  it('leaves no file when the run is removed, or expires', async () => {
    const other = fileRunStore(folder, { flush: true });
    await other.takeOver?.(run, head, taken);
    expect(await store.remove(run)).to.equal(true);
    expect(files()).to.deep.equal([]);
    await other.append(run, { entries: [{ n: 1 }], head });
    await fileRunStore(folder).takeOver?.(run, head, { n: 1 });
    for (const name of files()) utimesSync(join(folder, 'alice', name), 1, 1);
    await fileRunStore(folder, { keepMs: 1_000, sweepMs: 1 }).append({ user: 'b', runId: 'b' }, { head });
    expect(files()).to.deep.equal([]);
  });
});
