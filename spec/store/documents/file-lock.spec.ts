import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileStore } from 'hookline/config';
import { fileName } from '../../../lib/store/documents/file-name.ts';
import { tempFolder } from '../../temp-folder.ts';

const HOUR_S = 3_600;

describe('the lock of a document', () => {
  /** A lock that another process holds, or has left, by a clock that goes wrong by so many seconds. */
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

  it('is not taken from a holder that lives, whose clock is an hour behind', async () => {
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

  it('is taken over from one that has crashed, whose clock was an hour ahead', async () => {
    const folder = tempFolder('lock');
    held(folder, HOUR_S);
    expect(await fileStore(folder, { staleMs: 2_000 }).write(['a'], 1)).to.include({ revision: 1 });
  });
});
