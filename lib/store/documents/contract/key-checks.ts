import type { DocumentKey } from '../document-store.ts';
import type { StoreCheck } from './store-bench.ts';

const LONG = 'x'.repeat(1_000);

/** Each key must be a different document. */
const odd: readonly (readonly string[])[] = [
  ['alice'],
  ['Alice'],
  ['ALICE'],
  ['alice', ''],
  ['alice', '', ''],
  [''],
  ['.'],
  ['..'],
  ['..', '..', 'etc', 'passwd'],
  ['../../etc/passwd'],
  ['/'],
  ['a/b'],
  ['a', 'b'],
  ['a\\b'],
  ['a~b'],
  ['a%b'],
  ['%2e%2e'],
  ['a', 'b.json'],
  ['a\nb\u0000'],
  ['con'],
  ['é'],
  ['e\u0301'],
  ['\ud83d\ude00'],
  ['\ud83d'],
  ['"quoted"', "'too'", '$(id)', '*?'],
  ['__proto__'],
  ['constructor', 'prototype'],
  [LONG],
  [`${LONG}y`],
  [LONG, LONG],
  [`${LONG}Y`],
];

const wrong: readonly (readonly [string, unknown])[] = [
  ['no segment', []],
  ['a text', 'alice'],
  ['a number in it', ['a', 1]],
  ['a hole in it', Array(2)],
  ['undefined', undefined],
];

const names = (keys: readonly DocumentKey[]) => keys.map((key) => JSON.stringify(key)).sort();

/** Checks that keys are listed and distinct. */
export const keyChecks: readonly StoreCheck[] = [
  {
    promise: 'keys are of any text, and each is a document of its own',
    async try({ store, reopen, key, same }) {
      for (const segments of odd) await store.write(key(...segments), segments);
      const again = await reopen();
      for (const segments of odd) {
        same(`the document ${JSON.stringify(segments)}`, (await again.read(key(...segments)))?.value, segments);
      }
      same('list', names(await again.list(key())), names(odd.map((segments) => key(...segments))));
    },
  },
  {
    promise: 'list gives the keys that begin with these segments, whole ones',
    async try({ store, key, same }) {
      const all = [['a'], ['a', 'b'], ['a', 'b', 'c'], ['ab'], ['b', 'a']];
      for (const segments of all) await store.write(key(...segments), 1);
      const listed = async (...prefix: string[]) => names(await store.list(key(...prefix)));
      const keys = (...chosen: string[][]) => names(chosen.map((segments) => key(...segments)));
      same('list of a', await listed('a'), keys(['a'], ['a', 'b'], ['a', 'b', 'c']));
      same('list of a, b', await listed('a', 'b'), keys(['a', 'b'], ['a', 'b', 'c']));
      same('list of nothing that is there', await listed('c'), []);
      same('list of all', (await store.list([])).length >= all.length, true);
      await store.remove(key('a', 'b'));
      same('list of a after a, b is removed', await listed('a'), keys(['a'], ['a', 'b', 'c']));
    },
  },
  {
    promise: 'what is no key is refused with INPUT_INVALID',
    async try({ store, refused }) {
      for (const [what, key] of wrong) {
        await refused(`write to a key of ${what}`, 'INPUT_INVALID', () => store.write(key as DocumentKey, 1));
        await refused(`read of a key of ${what}`, 'INPUT_INVALID', () => store.read(key as DocumentKey));
      }
    },
  },
];
