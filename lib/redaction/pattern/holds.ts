import { Kind } from './alphabet.ts';
import { assertions, Op, type Program } from './program.ts';

/** Returns whether an assertion holds between two kinds of characters. */
export function holds(assertion: number, before: number, after: number): boolean {
  switch (assertions[assertion]) {
    case 'start':
      return before === Kind.edge;
    case 'end':
      return after === Kind.edge;
    case 'lineStart':
      return before === Kind.edge || before === Kind.newline;
    case 'lineEnd':
      return after === Kind.edge || after === Kind.newline;
    case 'word':
      return before !== Kind.marker && after !== Kind.marker && (before === Kind.word) !== (after === Kind.word);
    default:
      return before !== Kind.marker && after !== Kind.marker && (before === Kind.word) === (after === Kind.word);
  }
}

/** Returns whether a program tests the surroundings of a place. */
export function asks(program: Program): boolean {
  return program.ops.includes(Op.assert);
}
