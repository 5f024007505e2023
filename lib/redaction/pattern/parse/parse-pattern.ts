import { RuleError } from '../../compile/rule-error.ts';
import { type Assertion, type Node, nothing } from '../syntax-tree.ts';
import { complement } from './char-set.ts';
import { foldCase } from './fold-case.ts';
import { newlineSet } from './named-sets.ts';
import { parseBrackets } from './parse-brackets.ts';
import { parseEscape } from './parse-escape.ts';
import { type PatternReader, patternReader, unreadable } from './pattern-reader.ts';

export interface ParsedPattern {
  readonly tree: Node;
  readonly groups: number;
}

interface Flags {
  i: boolean;
  m: boolean;
  s: boolean;
}

const anything: Node = { type: 'set', set: [0, 0xffff] };
const allButNewline: Node = { type: 'set', set: complement(newlineSet) };

/** Parses a pattern: a RegExp with its flags i, m and s, or the source of one in JavaScript or RE2 syntax. Throws a `RuleError`. */
export function parsePattern(pattern: RegExp | string): ParsedPattern {
  const flags = typeof pattern === 'string' ? '' : pattern.flags;
  if (/[uv]/.test(flags)) {
    throw new RuleError('its pattern has the flag u or v', 'write it without: it is matched by UTF-16 units');
  }
  const reader = typeof pattern === 'string' ? patternReader(pattern, 're2') : patternReader(pattern.source, 'js');
  const state = {
    reader,
    groups: 0,
    flags: { i: flags.includes('i'), m: flags.includes('m'), s: flags.includes('s') },
  };
  const tree = either(state);
  if (reader.at < reader.source.length) throw unreadable(reader, 'a closing parenthesis too many');
  return { tree, groups: state.groups };
}

interface Parsing {
  readonly reader: PatternReader;
  groups: number;
  flags: Flags;
}

function either(state: Parsing): Node {
  const outer = { ...state.flags };
  const items = [sequence(state)];
  while (state.reader.take('|')) items.push(sequence(state));
  state.flags = outer;
  return items.length === 1 ? items[0]! : { type: 'either', items };
}

function sequence(state: Parsing): Node {
  const { reader } = state;
  const items: Node[] = [];
  while (reader.peek() !== '' && reader.peek() !== '|' && reader.peek() !== ')') items.push(repeated(state));
  return items.length === 1 ? items[0]! : { type: 'sequence', items };
}

function repeated(state: Parsing): Node {
  const { reader } = state;
  const item = single(state);
  const found = reader.match(/[*+?]|\{(\d+)(?:(,)(\d*))?\}/y);
  if (!found) return item;
  if (item.type === 'assert') throw unreadable(reader, 'a repeated assertion');
  const [text, least, comma, most] = found;
  const min = least === undefined ? (text === '+' ? 1 : 0) : Number(least);
  const max = least === undefined ? (text === '?' ? 1 : Infinity) : most ? Number(most) : comma ? Infinity : min;
  if (max < min) throw unreadable(reader, 'a repetition that runs backwards');
  const lazy = reader.take('?');
  if (reader.match(/[*+?]|\{\d+(?:,\d*)?\}/y)) throw unreadable(reader, 'nothing to repeat');
  return { type: 'repeat', item, min, max, lazy };
}

function single(state: Parsing): Node {
  const { reader, flags } = state;
  const letter = reader.peek();
  reader.at++;
  if (letter === '(') return group(state);
  if (letter === '[') return { type: 'set', set: parseBrackets(reader, flags.i) };
  if (letter === '.') return flags.s ? anything : allButNewline;
  if (letter === '^') return assertion(flags.m ? 'lineStart' : 'start');
  if (letter === '$') return assertion(flags.m ? 'lineEnd' : 'end');
  if (letter === '*' || letter === '+' || letter === '?') throw unreadable(reader, 'nothing to repeat');
  if (letter === '\\') {
    if (reader.take('b')) return assertion('word');
    if (reader.take('B')) return assertion('notWord');
    if (reader.dialect === 're2' && reader.take('A')) return assertion('start');
    if (reader.dialect === 're2' && reader.take('z')) return assertion('end');
    if (reader.dialect === 're2' && reader.take('Q')) return quoted(state);
    const set = parseEscape(reader);
    return { type: 'set', set: flags.i ? foldCase(set) : set };
  }
  const unit = letter.charCodeAt(0);
  return { type: 'set', set: flags.i ? foldCase([unit, unit]) : [unit, unit] };
}

function assertion(kind: Assertion): Node {
  return { type: 'assert', assertion: kind };
}

function quoted({ reader, flags }: Parsing): Node {
  const end = reader.source.indexOf('\\E', reader.at);
  const text = reader.source.slice(reader.at, end < 0 ? undefined : end);
  reader.at = end < 0 ? reader.source.length : end + 2;
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return {
    type: 'sequence',
    items: units.map((unit) => ({ type: 'set', set: flags.i ? foldCase([unit, unit]) : [unit, unit] })),
  };
}

function group(state: Parsing): Node {
  const { reader } = state;
  if (reader.match(/\?(?:<?[=!])/y)) {
    throw new RuleError(
      'its pattern looks ahead or behind',
      'add the text around the secret to the pattern, and put the secret into a group',
    );
  }
  const modifiers = reader.match(/\?([ims]*U?)(?:-([imsU]*))?([:)])/y);
  if (modifiers) return modified(state, modifiers[1]!, modifiers[2] ?? '', modifiers[3] === ':');
  const captures = reader.match(/\?P?<[A-Za-z_$][\w$]*>/y) || reader.peek() !== '?';
  if (!captures) throw unreadable(reader, 'an unknown group');
  const index = ++state.groups;
  return { type: 'group', index, item: closed(state) };
}

function modified(state: Parsing, on: string, off: string, scoped: boolean): Node {
  if (/U/.test(on + off)) throw unreadable(state.reader, 'the flag U');
  const outer = { ...state.flags };
  for (const flag of on) state.flags[flag as keyof Flags] = true;
  for (const flag of off) state.flags[flag as keyof Flags] = false;
  if (!scoped) return nothing;
  const item = closed(state);
  state.flags = outer;
  return item;
}

function closed(state: Parsing): Node {
  const item = either(state);
  if (!state.reader.take(')')) throw unreadable(state.reader, 'an open group');
  return item;
}
