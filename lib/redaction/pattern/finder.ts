import { type Alphabet, alphabetOf, Kind } from './alphabet.ts';
import { automatonOf } from './automaton.ts';
import { parsePattern } from './parse/parse-pattern.ts';
import { type Program, toProgram } from './program.ts';
import type { Node } from './syntax-tree.ts';

const anything: Node = { type: 'repeat', item: { type: 'set', set: [0, 0xffff] }, min: 0, max: Infinity, lazy: true };

/**
 * Creates a test for at most 31 patterns (a string is a source in JavaScript or RE2 syntax). It returns whether one of them occurs in a text, in linear time.
 * It is compiled on first use.
 */
export function finder(...patterns: readonly (RegExp | string)[]): (text: string) => boolean {
  let finds: ((text: string) => boolean) | undefined;
  return (text) => {
    if (!finds) {
      const programs = patterns.map(searchFor);
      finds = finderOf(programs, alphabetOf(programs.map(({ sets }) => sets)));
    }
    return finds(text);
  };
}

/** The same for programs from `searchFor`, over a shared alphabet. */
export function finderOf(programs: readonly Program[], alphabet: Alphabet): (text: string) => boolean {
  const members = programs.map((program) => {
    const none = new Uint8Array(program.ops.length);
    return { program, held: none, within: none };
  });
  const automaton = automatonOf(members, alphabet);
  const { classOf } = alphabet;
  const { columns } = automaton;
  return (text) => {
    automaton.trim();
    let state = automaton.start(Kind.edge);
    for (let at = 0; at < text.length; at++) {
      const unitClass = classOf[text.charCodeAt(at)]!;
      state = state.next[columns[unitClass]!] ?? automaton.step(state, unitClass);
      if (state.matched !== 0) return true;
      if (state.alive === 0) return false;
    }
    return automaton.finish(state, Kind.edge) !== 0;
  };
}

/** Returns the program that finds a pattern anywhere in a text. */
export function searchFor(pattern: RegExp | string): Program {
  const { tree, groups } = parsePattern(pattern);
  return toProgram(isAnchored(tree) ? tree : { type: 'sequence', items: [anything, tree] }, groups);
}

/** Returns whether it can match only at the beginning. */
function isAnchored(node: Node): boolean {
  switch (node.type) {
    case 'assert':
      return node.assertion === 'start';
    case 'group':
      return isAnchored(node.item);
    case 'either':
      return node.items.every(isAnchored);
    case 'sequence':
      return node.items[0] !== undefined && isAnchored(node.items[0]);
    default:
      return false;
  }
}
