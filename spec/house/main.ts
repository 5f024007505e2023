import { keeps, type Measure } from './measure.ts';
import { measureShape } from './shape.ts';
import { follow } from './walks.ts';

/** Prints how the house is built; with `--check` a measure that is not kept exits 1, with `--walks` the files of both walks come too. */
function main(flags: readonly string[]): void {
  const { deniedCall, chunk, stackDepth } = follow();
  const measures: Measure[] = [
    ...measureShape(),
    { what: 'frames on the stack from a chunk of the model to the subscriber', value: stackDepth, most: 60 },
    { what: 'files that a denied call visits', value: deniedCall.length, most: 30 },
    { what: 'files that a chunk visits', value: chunk.length, most: 22 },
  ];
  for (const measure of measures) console.log(toLine(measure));
  if (flags.includes('--walks'))
    console.log(`\nA denied call:\n${deniedCall.join('\n')}\n\nA chunk:\n${chunk.join('\n')}`);
  if (flags.includes('--check') && !measures.every(keeps)) process.exitCode = 1;
}

function toLine(measure: Measure): string {
  const { what, value, most } = measure;
  const bound = most === undefined ? '' : keeps(measure) ? `  (at most ${most})` : `  (at most ${most}: missed)`;
  return `${String(value).padStart(6)}  ${what}${bound}`;
}

main(process.argv.slice(2));
