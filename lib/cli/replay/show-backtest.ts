import type { Backtest, ChangeExample, VerdictChange } from '../../replay/backtest.ts';
import { shortJson } from '../terminal/short-json.ts';

export function backtestLines(result: Backtest): readonly string[] {
  const { recordings, runs, events, changes, unknown, notRepeated, ended, unreadable } = result;
  const note = (count: number, text: string) => (count > 0 ? [`${count} ${text}`] : []);
  return [
    `${recordings} recordings, ${runs} runs, ${events} events`,
    ...(changes.length === 0 ? ['no verdict changes'] : changes.flatMap(changeLines)),
    ...note(unknown, 'verdicts are unknown: the value is redacted, or the replay does not reach the call'),
    ...note(notRepeated, 'effects of hooks outside could not be repeated'),
    ...note(ended, 'runs need something that their recording does not contain, and were followed up to there'),
    ...unreadable.map(({ reason }) => reason),
  ];
}

function changeLines(change: VerdictChange): readonly string[] {
  const { what, before, after, hook, tool, rewritten, looser, count, examples } = change;
  const verdict = rewritten
    ? `${after}, ${what === 'call' ? 'with another input' : 'redacted otherwise'}`
    : `${before} -> ${after}`;
  const by = hook === undefined ? '' : ` by ${hook}`;
  const of = tool === undefined ? what : `${what} of ${tool}`;
  return [
    `${count} x ${of}: ${verdict}${by}${looser ? ' (looser)' : ''}`,
    ...examples.map((one) => exampleLine(one, rewritten)),
  ];
}

function exampleLine({ file, seq, before, after, reason }: ChangeExample, rewritten: boolean): string {
  const value = rewritten ? `${shortJson(before, 100)} -> ${shortJson(after, 100)}` : shortJson(before, 100);
  return `    ${file}, event ${seq}: ${value}${reason === undefined ? '' : ` (${shortJson(reason, 200)})`}`;
}
