import { expect } from 'chai';
import type { KnownFields } from '../../lib/loops/known-fields.ts';
import type { Fields } from './members-of.ts';

/** Checks that the lists name exactly the fields of a package's types that can be or contain functions. */
export function expectKnown(known: Readonly<Record<string, KnownFields>>, members: Fields): void {
  for (const [place, { hooked, passed, refused = {} }] of Object.entries(known)) {
    const had = members[place] ?? new Map<string, boolean>();
    const listed = [...hooked, ...passed];
    const live = [...had].flatMap(([name, isLive]) => (isLive && !name.startsWith('~') ? [name] : []));
    expect(
      live.filter((name) => !listed.includes(name) && !Object.hasOwn(refused, name)),
      `not listed of ${place}`,
    ).to.deep.equal([]);
    expect(
      listed.filter((name) => !had.has(name)),
      `no members of ${place}`,
    ).to.deep.equal([]);
  }
}
