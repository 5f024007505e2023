import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { createLiveHooks, type ReloadResult, reloadOnChange, watchFiles } from 'hookline/config';
import { BehaviorSubject, type Subscription } from 'rxjs';
import { tempFolder } from '../../temp-folder.ts';
import { written } from '../read.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Longer than the required quiet time and the delay of a watcher. */
const LONG = 300;

async function until(true_: () => boolean): Promise<void> {
  for (let tries = 0; !true_() && tries < 400; tries += 1) await pause(25);
}

/** Kernel watches of this process, which only Linux can list. */
function watches(): number {
  if (process.platform !== 'linux') return 0;
  const infos = readdirSync('/proc/self/fdinfo').flatMap((fd) => {
    try {
      return [readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')];
    } catch {
      return [];
    }
  });
  return infos.join('\n').match(/^inotify wd/gm)?.length ?? 0;
}

describe('watchFiles', () => {
  let folder: string;
  let watching: Subscription;
  let emitted = 0;
  const at = (name: string) => join(folder, name);
  beforeEach(() => {
    folder = tempFolder('watch');
    emitted = 0;
  });
  afterEach(async () => {
    watching.unsubscribe();
    await until(() => watches() === 0);
    expect(watches(), 'left open').to.equal(0);
  });

  async function watch(...names: string[]): Promise<void> {
    watching = watchFiles(names.map(at)).subscribe(() => {
      emitted += 1;
    });
    await pause(LONG);
    expect(emitted, 'before anything was changed').to.equal(0);
  }

  /** Runs an action and expects one notification. */
  async function once(what: string, act: () => unknown): Promise<void> {
    const before = emitted;
    await act();
    await until(() => emitted > before);
    await pause(LONG);
    expect(emitted - before, what).to.equal(1);
  }

  const put = (name: string, text: string): void => {
    writeFileSync(at(`${name}.new`), text);
    renameSync(at(`${name}.new`), at(name));
  };

  it('emits once for each kind of change, repeatedly', async () => {
    writeFileSync(at('c.json'), '1');
    await watch('c.json');
    for (let round = 1; round <= 2; round += 1) {
      await once('edited in place', () => writeFileSync(at('c.json'), `edited ${round}`));
      await once('replaced', () => put('c.json', `replaced ${round}`));
      await once('edited after that', () => writeFileSync(at('c.json'), `again ${round}`));
      await once('removed', () => rmSync(at('c.json')));
      await once('put back', () => writeFileSync(at('c.json'), `back ${round}`));
      await once('written in two halves', async () => {
        writeFileSync(at('c.json'), 'half ');
        await pause(20);
        writeFileSync(at('c.json'), 'half and half');
      });
    }
  });

  it('waits for a file in a missing folder, and follows a replaced folder', async () => {
    await watch('a/b/c.json');
    mkdirSync(at('a'));
    await pause(LONG);
    expect(emitted, 'for a folder').to.equal(0);
    await once('folder and file', () => {
      mkdirSync(at('a/b'));
      writeFileSync(at('a/b/c.json'), '1');
    });
    await once('edited', () => writeFileSync(at('a/b/c.json'), '2'));
    await once('the folder taken away', () => renameSync(at('a'), at('old')));
    await once('the folder put back', () => renameSync(at('old'), at('a')));
    await once('edited behind that', () => writeFileSync(at('a/b/c.json'), '3'));
  });

  /** Atomically replaces a link or any other file by a link. */
  const relink = (target: string, name: string): void => {
    symlinkSync(target, at('next'));
    renameSync(at('next'), at(name));
  };
  const versions = (...names: readonly string[]): void => {
    for (const name of names) {
      mkdirSync(at(name), { recursive: true });
      writeFileSync(at(`${name}/c.json`), name);
    }
  };

  for (const [what, path, prepare, exchange] of [
    [
      'a changed link at the path',
      'c.json',
      () => relink('one/c.json', 'c.json'),
      () => relink('two/c.json', 'c.json'),
    ],
    ['a changed link to the folder', 'now/c.json', () => relink('one', 'now'), () => relink('two', 'now')],
    [
      'a changed link to a folder with its old target removed',
      'now/c.json',
      () => relink('one', 'now'),
      () => {
        relink('two', 'now');
        rmSync(at('one'), { recursive: true });
      },
    ],
    [
      'a changed link behind a link, as in mounted configurations',
      'c.json',
      () => {
        relink('one', '..data');
        relink('..data/c.json', 'c.json');
      },
      () => relink('two', '..data'),
    ],
    [
      'a changed link on the path to the target',
      'c.json',
      () => {
        mkdirSync(at('releases'));
        symlinkSync('../one', at('releases/current'));
        relink('releases/current/c.json', 'c.json');
      },
      () => {
        symlinkSync('../two', at('releases/next'));
        renameSync(at('releases/next'), at('releases/current'));
      },
    ],
    [
      'a link replaced by a file',
      'c.json',
      () => relink('one/c.json', 'c.json'),
      () => put('c.json', 'a separate file'),
    ],
    [
      'a file replaced by a link',
      'c.json',
      () => writeFileSync(at('c.json'), 'a file'),
      () => relink('two/c.json', 'c.json'),
    ],
    [
      'a link that is removed and restored',
      'c.json',
      () => relink('one/c.json', 'c.json'),
      () => {
        rmSync(at('c.json'));
        symlinkSync('two/c.json', at('c.json'));
      },
    ],
    [
      'a replaced parent folder',
      'a/b/c/c.json',
      () => {
        versions('a/b/c', 'other/c');
      },
      () => {
        renameSync(at('a/b'), at('a/old'));
        renameSync(at('other'), at('a/b'));
      },
    ],
  ] as const) {
    it(`detects ${what}, and later changes`, async () => {
      versions('one', 'two');
      prepare();
      await watch(path);
      await once('exchanged', exchange);
      await once('edited', () => writeFileSync(at(path), 'edited'));
      await once('exchanged back', () => put(path, 'put over it'));
    });
  }

  it('waits for the target of a link, and stops at circular links', async () => {
    symlinkSync('later/c.json', at('c.json'));
    symlinkSync('circle', at('circle'));
    await watch('c.json', 'circle');
    await once('it comes', () => versions('later'));
    await once('the circle ends', () => put('circle', 'a file'));
  });

  it('ignores neighbours, and files that are no longer watched', async () => {
    writeFileSync(at('a'), '1');
    const lists$ = new BehaviorSubject([at('a')]);
    watching = watchFiles(lists$).subscribe(() => {
      emitted += 1;
    });
    await pause(LONG);
    writeFileSync(at('b'), '1');
    await pause(LONG);
    expect(emitted, 'for a neighbour').to.equal(0);
    lists$.next([at('b')]);
    await pause(LONG);
    await once('of interest now', () => writeFileSync(at('b'), '2'));
    writeFileSync(at('a'), '2');
    await pause(LONG);
    expect(emitted).to.equal(1);
  });

  it('does not lose changes from before its watcher existed', async () => {
    writeFileSync(at('a'), '1');
    watching = watchFiles([at('a')]).subscribe(() => {
      emitted += 1;
    });
    await once('at once', () => writeFileSync(at('a'), '2'));
  });

  it('leaves nothing open without subscribers', async function () {
    if (process.platform !== 'linux') {
      console.log('      passed over: needs /proc, which only Linux has');
      this.skip();
    }
    writeFileSync(at('a'), '1');
    await watch('a');
    expect(watches()).to.be.greaterThan(0);
    watching.unsubscribe();
    await until(() => watches() === 0);
    expect(watches()).to.equal(0);
    await once('nothing', () => {
      emitted += 1;
      writeFileSync(at('a'), '2');
    });
  });
});

describe('reloadOnChange', () => {
  it('follows the configuration and its modules, also of a rejected one', async () => {
    const module = (priority: number) =>
      `module.exports = require('hookline').defineHook({ name: 'x', priority: ${priority}, observe() {} });`;
    const config = (path: string) => JSON.stringify({ hooks: { m: { type: 'module', path } } });
    const name = written({ 'c.json': config('./m.js'), 'm.js': module(1) });
    const folder = dirname(name('c.json'));
    const live = await createLiveHooks({ files: [name('c.json')] });
    const told: ReloadResult[] = [];
    const watching = reloadOnChange(live).subscribe((result) => told.push(result));
    const heard = async (act: () => void): Promise<string | undefined> => {
      const before = told.length;
      act();
      await until(() => told.length > before);
      await pause(LONG);
      expect(told).to.have.length(before + 1);
      const lease = await live.lease();
      lease.release();
      return `${told.at(-1)?.type} ${lease.pipeline.hooks[0]?.priority}`;
    };
    try {
      expect(await heard(() => {})).to.equal('unchanged 1');
      expect(await heard(() => writeFileSync(name('m.js'), module(22)))).to.equal('reloaded 22');
      expect(await heard(() => writeFileSync(name('c.json'), config('./later.js')))).to.equal('refused 22');
      expect(await heard(() => writeFileSync(join(folder, 'later.js'), module(333)))).to.equal('reloaded 333');
      expect(await heard(() => writeFileSync(join(folder, 'later.js'), module(4)))).to.equal('reloaded 4');
    } finally {
      watching.unsubscribe();
      await live.close();
    }
  });
});
