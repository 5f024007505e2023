import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import type { StoredDocument } from '../../../lib/store/documents/document-store.ts';
import { fileStore } from '../../../lib/store/documents/file-store.ts';
import { tempFolder } from '../../temp-folder.ts';
import { startSaver } from './saver.ts';

const KILLS = process.env['HOOKLINE_SOAK'] ? 500 : 8;
const LANES = 4;
const LONGEST_MS = 60;

/** Saves in a process that is killed `kills` times, and returns how often it left a lock. */
async function lane(folder: string, kills: number): Promise<number> {
  const store = fileStore(folder);
  let left = 0;
  let known = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const told = await killAtRandom(folder, known);
    if (readdirSync(folder).some((name) => name.endsWith('.lock'))) left += 1;
    const [newest, ...older] = await store.history(['saved']);
    expect(newest?.revision, 'an acknowledged revision').to.be.within(told, told + 1);
    for (const document of [newest!, ...older]) expectWhole(document);
    expect([newest, ...older].map((document) => document?.revision)).to.deep.equal(
      Array.from({ length: Math.min(10, newest!.revision) }, (_, back) => newest!.revision - back),
    );
    known = newest!.revision;
  }
  return left;
}

/** Returns the last revision that the process reported as saved. Its first report requires the lock that the previous process left. */
async function killAtRandom(folder: string, known: number): Promise<number> {
  const child = startSaver('save', folder);
  let told = 0;
  const first = new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the process ended of itself')));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      expect(Number(line), 'revisions never go back').to.be.greaterThan(Math.max(told, known));
      told = Number(line);
      resolve();
    });
  });
  const closed = once(child, 'close');
  await first;
  await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_MS));
  child.kill('SIGKILL');
  await closed;
  return told;
}

function expectWhole({ value }: StoredDocument): void {
  const { rows, sum } = value as { rows: number[]; sum: number };
  expect(rows).to.have.length(500);
  expect(rows.reduce((a, b) => a + b, 0)).to.equal(sum);
}

describe('a file store with a killed writer', () => {
  const folders = Array.from({ length: LANES }, () => tempFolder('kill'));

  it(`has complete documents, loses no saved data and admits the next writer, ${KILLS} times`, async function () {
    this.timeout(0);
    const left = await Promise.all(folders.map((folder) => lane(folder, KILLS / LANES)));
    expect(
      left.reduce((a, b) => a + b),
      'kills that hit a writer with the lock',
    ).to.be.greaterThan(0);
    for (const folder of folders) {
      await fileStore(folder).write(['saved'], 'last');
      expect(readdirSync(folder), 'what crashes left behind is swept away').to.deep.equal(['saved.json']);
    }
  });
});
