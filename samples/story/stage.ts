// How the story is shown: with pauses and colours on a terminal, at once and plain anywhere else.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AskFunction } from 'hookline/hooks';
import { createColors } from 'picocolors';
import { map, Observable, race, timer } from 'rxjs';

const { stdin, stdout, env } = process;
const onTerminal = stdout.isTTY === true;

/** Milliseconds on a terminal, nothing elsewhere. */
export const pace = (ms: number): number => (onTerminal ? ms : 0);
export const paint = createColors(onTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
export const show = (text: string): boolean => stdout.write(text);

/** The source of a hook, from its own file. */
export function codeOf(hook: string): string {
  const source = readFileSync(join(__dirname, 'hooks.ts'), 'utf8');
  return source.split(`// show ${hook}\n`)[1]!.split('\n// show')[0]!.trimEnd();
}

/** The last line of the audit whose message begins like that, without what is the same in all of them. */
export function auditLine(file: string, message: string): string {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const line = lines.findLast((one) => one.includes(`"msg":"${message}`));
  if (line === undefined) return 'audit: nothing\n';
  const { level, timestamp, session_id, run_id, agent, iteration, seq, tool_call_id, data, ...rest } = JSON.parse(line);
  return `audit: ${JSON.stringify(rest)}\n`;
}

const typed$ = new Observable<boolean>((subscriber) => {
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on('line', (line) => subscriber.next(!/^\s*n/i.test(line)));
  return () => lines.close();
});

/** Asks whoever is there. When nobody answers within four seconds the story goes on with yes. */
export const ask: AskFunction = ({ tool, input }) => {
  show(paint.bold(`? May ${tool} run with ${JSON.stringify(input)}? [Y/n] `));
  const nobody$ = timer(pace(4_000)).pipe(
    map(() => show(paint.dim('nobody answers, so the story says yes\n'))),
    map(() => true),
  );
  return onTerminal && stdin.isTTY ? race(typed$, nobody$) : nobody$;
};
