import { type CharSet, complement, sizeOf, unite } from './char-set.ts';
import { foldCase } from './fold-case.ts';
import { parseEscape, parsePosixClass } from './parse-escape.ts';
import { type PatternReader, unreadable } from './pattern-reader.ts';

/** Parses a class in brackets after the opening bracket. */
export function parseBrackets(reader: PatternReader, ignoreCase: boolean): CharSet {
  const negated = reader.take('^');
  const sets: CharSet[] = [];
  // In RE2, a closing bracket in the first place is a member.
  if (reader.dialect === 're2' && reader.peek() === ']' && reader.source.indexOf(']', reader.at + 1) > 0) {
    reader.at++;
    sets.push([93, 93]);
  }
  while (!reader.take(']')) {
    if (reader.peek() === '') throw unreadable(reader, 'an open bracket');
    sets.push(parsePosixClass(reader) ?? range(reader));
  }
  const set = unite(...sets);
  const folded = ignoreCase ? foldCase(set) : set;
  return negated ? complement(folded) : folded;
}

function range(reader: PatternReader): CharSet {
  const from = member(reader);
  const next = reader.source.charAt(reader.at + 1);
  if (sizeOf(from) !== 1 || reader.peek() !== '-' || next === ']' || next === '') return from;
  reader.at++;
  const to = member(reader);
  if (sizeOf(to) !== 1) return unite(from, [45, 45], to);
  if (to[0]! < from[0]!) throw unreadable(reader, 'a range that runs backwards');
  return [from[0]!, to[0]!];
}

function member(reader: PatternReader): CharSet {
  if (reader.take('\\')) return reader.take('b') ? [8, 8] : parseEscape(reader);
  const code = reader.source.charCodeAt(reader.at++);
  return [code, code];
}
