import { RuleError } from '../../compile/rule-error.ts';
import { type CharSet, complement, unite } from './char-set.ts';
import { posixSets, shorthandSets } from './named-sets.ts';
import { type PatternReader, unreadable } from './pattern-reader.ts';

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12 };
const HEX = /x([0-9a-fA-F]{2})|x\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})/y;

/** Parses an escape after its backslash as a set of units, inside or outside brackets. */
export function parseEscape(reader: PatternReader): CharSet {
  const hex = reader.match(HEX);
  if (hex) return unit(parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16));
  const letter = reader.peek();
  if (letter === '') throw unreadable(reader, 'a backslash at the end');
  reader.at++;
  const shorthand = shorthandSets[letter];
  if (shorthand) return shorthand;
  if (letter in CONTROLS) return unit(CONTROLS[letter]!);
  if (letter === '0') return unit(0);
  if (letter === 'a' && reader.dialect === 're2') return unit(7);
  if (letter === 'c') {
    const control = reader.match(/[A-Za-z]/y);
    return unit(control ? control[0].charCodeAt(0) % 32 : 92);
  }
  if (letter === 'p' || letter === 'P') {
    throw new RuleError('its pattern names a Unicode class', 'name the letters, as in [a-zà-ÿ]');
  }
  if (/[1-9]/.test(letter) || letter === 'k') {
    throw new RuleError('its pattern has a back-reference', 'repeat the part instead of referring to it');
  }
  return unit(letter.charCodeAt(0));
}

/** Returns the set of a POSIX class inside brackets, if one is next. */
export function parsePosixClass(reader: PatternReader): CharSet | undefined {
  if (reader.dialect === 'js') return undefined;
  const found = reader.match(/\[:(\^?)([a-z]+):\]/y);
  if (!found) return undefined;
  const set = posixSets[found[2]!];
  if (!set) throw unreadable(reader, 'an unknown POSIX class');
  return found[1] ? complement(set) : set;
}

function unit(code: number): CharSet {
  if (code > 0xffff) {
    throw new RuleError('its pattern names a character of two UTF-16 units', 'write the character itself, unbracketed');
  }
  return unite([code, code]);
}
