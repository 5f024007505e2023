import type { CharSet } from './parse/char-set.ts';
import { sizeOf } from './parse/char-set.ts';
import type { Node } from './syntax-tree.ts';

/** The maximum length of a prefix, and the maximum number of prefixes of a pattern. */
const LONGEST = 12;
const MOST = 64;
/** From this length on, a prefix is worth its multiplication. */
const ENOUGH = 4;

/** The prefixes of all matches, in lower case, and whether each is known to its end. */
interface Prefixes {
  readonly texts: readonly string[];
  /** The prefixes that continue with the rest of the pattern; the others are cut. */
  readonly open: ReadonlySet<string>;
}

/**
 * Returns literals in lower case (ASCII); every match begins with one of them. None if a match may begin with any text. The shortest may be a single
 * character; the caller decides whether that is worth a search.
 */
export function literalPrefixes(tree: Node): readonly string[] {
  const { texts } = prefixesOf(tree, { texts: [''], open: new Set(['']) });
  // If one prefix begins with another, the shorter one finds both.
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
  // A prefix that one part leaves open and another cuts may continue with any text.
  const cut = new Set(parts.flatMap((part) => part.texts.filter((text) => !part.open.has(text))));
  return { texts: [...texts], open: new Set([...texts].filter((text) => !cut.has(text))) };
}

function close({ texts }: Prefixes): Prefixes {
  return { texts, open: new Set() };
}

/** Returns the letters of a small set in lower case; `undefined` for a large one. */
function lettersOf(set: CharSet): string[] | undefined {
  if (sizeOf(set) > 2 * 36 + 2) return undefined;
  const letters = new Set<string>();
  for (let k = 0; k < set.length; k += 2) {
    for (let unit = set[k]!; unit <= set[k + 1]!; unit++) letters.add(toLower(unit));
  }
  return [...letters];
}

const toLower = (unit: number) => String.fromCharCode(unit >= 65 && unit <= 90 ? unit + 32 : unit);
