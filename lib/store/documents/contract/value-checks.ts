import type { JsonValue } from '../../../events/values/json-value.ts';
import type { StoreCheck } from './store-bench.ts';

const MIB = 1 << 20;

const odd: readonly JsonValue[] = [
  null,
  false,
  0,
  '',
  [],
  {},
  [[[]], { a: [null] }],
  1e300,
  'line\nbreak\u0000\u2028\ud83d\ude00 and half a pair \ud800',
  JSON.parse('{"__proto__":{"constructor":1},"":"empty","a.b":"dots"}'),
];

function circle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

const notJson: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['a function', () => 1],
  ['NaN', { at: [Number.NaN] }],
  ['a bigint', 1n],
  ['a Date', { at: new Date(0) }],
  ['a Map', new Map()],
  ['a circle', circle()],
];

/** Checks that values are returned unchanged and not shared. */
export const valueChecks: readonly StoreCheck[] = [
  {
    promise: 'every JSON value comes back as it was',
    async try({ store, reopen, key, same }) {
      for (const [index, value] of odd.entries()) {
        await store.write(key(String(index)), value);
        same(`value ${JSON.stringify(value)}`, (await (await reopen()).read(key(String(index))))?.value, value);
      }
    },
  },
  {
    promise: 'a value of 1 MiB comes back as it was',
    async try({ store, reopen, key, same }) {
      const value = { text: 'é'.repeat(MIB / 2), rows: Array.from({ length: 10_000 }, (_, row) => ({ row })) };
      await store.write(key(), value);
      same('a value of 1 MiB', (await (await reopen()).read(key()))?.value, value);
    },
  },
  {
    promise: 'what is not JSON is refused with NOT_JSON, and changes nothing',
    async try({ store, key, same, refused }) {
      await store.write(key(), 'before');
      for (const [what, value] of notJson) {
        await refused(`write of ${what}`, 'NOT_JSON', () => store.write(key(), value as JsonValue));
      }
      same(
        'the document after refused writes',
        (await store.history(key())).map(({ value }) => value),
        ['before'],
      );
    },
  },
  {
    promise: 'values and keys are copied in and out',
    async try({ store, key, same }) {
      const spoil = (value: unknown) => tryTo(() => (value as { list: number[] }).list.push(9));
      const given = { list: [1] };
      const givenKey = [...key()] as [string, ...string[]];
      const writing = store.write(givenKey, given);
      given.list.push(2);
      givenKey[0] = 'elsewhere';
      const written = await writing;
      const expected = { list: [1] };
      same('the value after the one that was given has changed', (await store.read(key()))?.value, expected);
      spoil(written.value);
      same('the value after the one that write gave has changed', (await store.read(key()))?.value, expected);
      spoil((await store.read(key()))?.value);
      same('the value after the one that read gave has changed', (await store.read(key()))?.value, expected);
      spoil((await store.history(key()))[0]?.value);
      same('the value after the one in the history has changed', (await store.read(key()))?.value, expected);
      const read = (await store.read(key())) as unknown as { key: string[] };
      tryTo(() => read.key.push('more'));
      same('the key after the one that read gave has changed', (await store.read(key()))?.key, key());
    },
  },
];

/** Ignores errors, because a store may freeze returned values. */
function tryTo(change: () => void): void {
  try {
    change();
  } catch {}
}
