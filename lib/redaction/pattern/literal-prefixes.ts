import type { CharSet } from './parse/char-set.ts';
import { sizeOf } from './parse/char-set.ts';
import type { Node } from './syntax-tree.ts';

/** Longest prefix, and most prefixes of one pattern. */
const LONGEST = 12;
const MOST = 64;
/** From this length on a prefix is worth more than its multiplication. */
const ENOUGH = 4;

/** What all matches begin with, lower case, and whether each of them is known to its end. */
interface Prefixes {
  readonly texts: readonly string[];
  /** Which of them go on with what follows in the pattern; the others have been cut. */
  readonly open: ReadonlySet<string>;
}

/**
 * Literals in lower case (ASCII) with one of which every match begins. None if a match may begin with anything. The shortest may be a
 * single character; the caller decides whether that is worth looking for.
 */
export function literalPrefixes(tree: Node): readonly string[] {
  const { texts } = prefixesOf(tree, { texts: [''], open: new Set(['']) });
  // A prefix that another one begins with finds both.
  return texts.filter((text) => !texts.some((other) => other !== text && text.startsWith(other)));
}

function prefixesOf(node: Node, before: Prefixes): Prefixes {
  if (before.open.size === 0) return before;
  switch (node.type) {
    case 'assert':
      return before;
    case 'set':
      return extend(before, node.set);
    case 'group':
      return prefixesOf(node.item, before);
    case 'sequence':
      return node.items.reduce<Prefixes>((prefixes, item) => prefixesOf(item, prefixes), before);
    case 'either':
      return join(
        before,
        node.items.map((item) => prefixesOf(item, before)),
      );
    case 'repeat': {
      let prefixes = before;
      for (let k = 0; k < Math.min(node.min, LONGEST); k++) prefixes = prefixesOf(node.item, prefixes);
      if (node.min === node.max) return prefixes;
      if (node.max === 1) return join(before, [prefixes, prefixesOf(node.item, prefixes)]);
      return close(prefixes);
    }
  }
}

function extend(before: Prefixes, set: CharSet): Prefixes {
  const letters = lettersOf(set);
  if (letters === undefined) return close(before);
  const open = [...before.open];
  const added = open.length * (letters.length - 1);
  const worth = letters.length === 1 || open.some((text) => text.length < ENOUGH);
  if (!worth || before.texts.length + added > MOST) return close(before);
  const longer = open.flatMap((text) => letters.map((letter) => text + letter));
  const closed = before.texts.filter((text) => !before.open.has(text));
  return { texts: [...closed, ...longer], open: new Set(longer.filter((text) => text.length < LONGEST)) };
}

function join(before: Prefixes, parts: readonly Prefixes[]): Prefixes {
  const texts = new Set(parts.flatMap((part) => part.texts));
  if (texts.size > MOST) return close(before);
  // What one part leaves open and another has cut may go on with anything.
  const cut = new Set(parts.flatMap((part) => part.texts.filter((text) => !part.open.has(text))));
  return { texts: [...texts], open: new Set([...texts].filter((text) => !cut.has(text))) };
}

function close({ texts }: Prefixes): Prefixes {
  return { texts, open: new Set() };
}

/** The letters of a small set in lower case; `undefined` for a large one. */
function lettersOf(set: CharSet): string[] | undefined {
  if (sizeOf(set) > 2 * 36 + 2) return undefined;
  const letters = new Set<string>();
  for (let k = 0; k < set.length; k += 2) {
    for (let unit = set[k]!; unit <= set[k + 1]!; unit++) letters.add(toLower(unit));
  }
  return [...letters];
}

const toLower = (unit: number) => String.fromCharCode(unit >= 65 && unit <= 90 ? unit + 32 : unit);
