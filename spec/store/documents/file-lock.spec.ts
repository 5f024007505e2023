import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileStore } from 'hookline/config';
import { HooklineError } from '../../../lib/errors.ts';
import { withFileLock } from '../../../lib/store/documents/file-lock.ts';
import { fileName } from '../../../lib/store/documents/file-name.ts';
import { writeOwner } from '../../../lib/store/documents/lock-owner.ts';
import { tempFolder } from '../../temp-folder.ts';
import { startSaver } from './saver.ts';

const HOUR_S = 3_600;

describe('document lock', () => {
  /** Creates a lock that another process holds, or has left, with a clock that is wrong by this many seconds. */
  const held = (folder: string, wrongBy: number) => {
    const lock = `${join(folder, fileName(['a']))}.lock`;
    mkdirSync(lock, { recursive: true });
    const touch = () => {
      const at = Date.now() / 1_000 + wrongBy;
      utimesSync(lock, at, at);
    };
    touch();
    return touch;
  };

  it('is not taken from a live holder whose clock is an hour behind', async () => {
    const folder = tempFolder('lock');
    const alive = setInterval(held(folder, -HOUR_S), 100);
    try {
      const refused = await fileStore(folder, { waitMs: 600 })
        .write(['a'], 1)
        .catch((error: unknown) => error);
      expect(refused).to.include({ code: 'STORE_FAILED' });
      expect(String(refused)).to.include('has been locked for 600 ms');
    } finally {
      clearInterval(alive);
    }
  });

  it('is taken over from a crashed holder whose clock was an hour ahead', async () => {
    const folder = tempFolder('lock');
    held(folder, HOUR_S);
    expect(await fileStore(folder, { staleMs: 2_000 }).write(['a'], 1)).to.include({ revision: 1 });
  });

  it('is taken over at once from a killed process of this machine', async () => {
    const folder = tempFolder('lock');
    const holder = startSaver('hold', folder);
    await once(holder.stdout!, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'close');
    const began = performance.now();
    const store = fileStore(folder, { staleMs: 60_000, waitMs: 90_000 });
    expect(await store.write(['held'], 'next')).to.include({ value: 'next' });
    expect(performance.now() - began).to.be.below(50_000);
    expect(readdirSync(folder)).to.deep.equal(['held.json']);
  });

  it('is taken over even if another process crashed while it took over', async () => {
    const folder = tempFolder('lock');
    held(folder, 0);
    const takeover = `${join(folder, fileName(['a']))}.takeover.lock`;
    mkdirSync(takeover);
    expect(await fileStore(folder, { staleMs: 2_000 }).write(['a'], 1)).to.include({ revision: 1 });
    expect(existsSync(takeover)).to.equal(false);
  });

  it('is lost at once if another process has taken it over, and stays with that process', async () => {
    const path = join(tempFolder('lock'), 'a.json');
    const lock = `${path}.lock`;
    const times = { staleMs: 2_000, waitMs: 100 };
    await withFileLock(path, times, async (assertHeld) => {
      assertHeld();
      // As after a synchronous task of more than `staleMs`.
      rmdirSync(lock);
      mkdirSync(lock);
      expect(assertHeld).to.throw(HooklineError, 'was lost');
    });
    expect(existsSync(lock)).to.equal(true);
  });

  it('stays held beyond its time, because its holder renews it', async () => {
    const path = join(tempFolder('lock'), 'a.json');
    await withFileLock(path, { staleMs: 2_000, waitMs: 100 }, async (assertHeld) => {
      const before = statSync(`${path}.lock`).mtimeMs;
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect(statSync(`${path}.lock`).mtimeMs).to.be.greaterThan(before);
      assertHeld();
    });
    expect(existsSync(`${path}.lock`)).to.equal(false);
  });

  it('is free after its holder exits within the work', async () => {
    const folder = tempFolder('lock');
    const holder = startSaver('leave', folder);
    await once(holder, 'close');
    expect(readdirSync(folder)).to.include('held.json').and.not.include('held.json.lock');
  });

  it('is not taken from a live holder because a dead earlier owner is still recorded', async () => {
    const folder = tempFolder('lock');
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'close');
    const path = join(folder, fileName(['a']));
    await writeOwner(path);
    const owner = `${path}.owner`;
    writeFileSync(owner, readFileSync(owner, 'utf8').replace(String(process.pid), String(dead.pid)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const alive = setInterval(held(folder, 0), 100);
    try {
      const refused = await fileStore(folder, { waitMs: 400 })
        .write(['a'], 1)
        .catch((error: unknown) => error);
      expect(refused).to.include({ code: 'STORE_FAILED' });
    } finally {
      clearInterval(alive);
    }
    // It has written the owner file itself. Then it is its own, if the file system shows which of the two is older.
    writeFileSync(owner, readFileSync(owner, 'utf8'));
    const { stat } = promises;
    promises.stat = (async (file: string) => Object.assign(await stat(file), { birthtimeMs: 0 })) as typeof stat;
    try {
      const refused = await fileStore(folder, { waitMs: 200 })
        .write(['a'], 1)
        .catch((error: unknown) => error);
      expect(refused).to.include({ code: 'STORE_FAILED' });
    } finally {
      promises.stat = stat;
    }
    expect(await fileStore(folder, { waitMs: 400 }).write(['a'], 1)).to.include({ revision: 1 });
  });
});
