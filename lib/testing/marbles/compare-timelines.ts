import { drawTimelines } from './draw-timelines.ts';
import { show } from './expected-event.ts';
import { compareMarks, type ExpectedMark, lineOf, type Mark } from './mark.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

/** Returns the failure of an expectation as an error, or `undefined`. `actual` and `expected` are line lists for a diff. */
export function compareTimelines(actual: readonly Mark[], expected: readonly ExpectedMark[]): Error | undefined {
  const at = Array.from({ length: Math.max(actual.length, expected.length) }).findIndex((_, index) => {
    const [mark, wanted] = [actual[index], expected[index]];
    return !mark || !wanted || compareMarks(mark, wanted).length > 0;
  });
  if (at < 0) return undefined;
  const legend = new Map<string, string>();
  const wanted = expected.map((mark) => ({ frame: mark.frame, letter: expectedLetter(mark, legend) }));
  const found = actual.map((mark, index) => ({
    frame: mark.frame,
    letter: actualLetter(mark, index, expected, wanted, legend),
  }));
  const frame = Math.min(
    actual[at]?.frame ?? Number.POSITIVE_INFINITY,
    expected[at]?.frame ?? Number.POSITIVE_INFINITY,
  );
  const message = [
    virtualTime(actual),
    `expectEvents: what came ${ordinal(at)} is not as expected.`,
    drawTimelines(wanted, found, frame),
    [...legend].map(([letter, line]) => `${letter}  ${line}`).join('\n'),
    explain(actual[at], expected[at]),
  ].filter((part) => part !== undefined && part !== '');
  return Object.assign(new Error(message.join('\n\n')), {
    name: 'AssertionError',
    actual: actual.map((mark) => `${mark.frame} ${lineOf(mark)}`).join('\n'),
    // A matching event is shown by its own line, so that a diff contains only differences.
    expected: expected
      .map((mark, index) => {
        const came = actual[index];
        return `${mark.frame} ${lineOf(came && compareMarks(came, mark).length === 0 ? came : mark)}`;
      })
      .join('\n'),
  });
}

function expectedLetter(mark: ExpectedMark, legend: Map<string, string>): string {
  if (mark.kind !== 'event') return mark.kind === 'end' ? '|' : '#';
  return letterFor(lineOf(mark), legend, mark.letter);
}

function actualLetter(
  mark: Mark,
  index: number,
  expected: readonly ExpectedMark[],
  letters: readonly { readonly letter: string }[],
  legend: Map<string, string>,
): string {
  if (mark.kind !== 'event') return mark.kind === 'end' ? '|' : '#';
  const same = (wanted: ExpectedMark | undefined) =>
    wanted?.kind === 'event' && compareMarks({ ...mark, frame: wanted.frame }, wanted).length === 0;
  const place = same(expected[index]) ? index : expected.findIndex(same);
  return letters[place]?.letter ?? letterFor(lineOf(mark), legend);
}

function letterFor(line: string, legend: Map<string, string>, own?: string): string {
  const known = [...legend].find(([letter, text]) => text === line && (own === undefined || own === letter));
  const letter = own ?? known?.[0] ?? LETTERS.find((free) => !legend.has(free)) ?? '?';
  legend.set(letter, line);
  return letter;
}

function explain(actual: Mark | undefined, expected: ExpectedMark | undefined): string {
  const lineAt = (mark: Mark | ExpectedMark | undefined) => (mark ? `${mark.frame} ${lineOf(mark)}` : 'nothing more');
  const found = actual && expected ? compareMarks(actual, expected).filter(({ path }) => path !== '') : [];
  const paths = found.map((one) => `  ${one.path}: expected ${show(one.expected)}, got ${show(one.actual)}`);
  return [`expected  ${lineAt(expected)}`, `actual    ${lineAt(actual)}`, ...paths].join('\n');
}

function ordinal(index: number): string {
  return index === 0 ? 'first' : `at place ${index + 1}`;
}

/** Returns a notice about a promise in virtual time, which must be reported first because it causes the difference. */
function virtualTime(marks: readonly Mark[]): string | undefined {
  const met = marks.find(
    (mark) => mark.kind === 'event' && mark.event.type === 'error' && mark.event.error.code === 'VIRTUAL_TIME',
  );
  return met?.kind === 'event' && met.event.type === 'error' ? met.event.error.message : undefined;
}
