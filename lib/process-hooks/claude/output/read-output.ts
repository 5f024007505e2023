import { messageOf } from '../../../errors/describe-thrown.ts';
import { CANNOT_BLOCK, TEXT_IS_CONTEXT } from './event-limits.ts';
import type { Outcome } from './output.ts';
import { type OutputContext, readJson } from './read-json.ts';

/** Exit code and output of a handler that ended by itself. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const NO_REASON = 'The hook gave no reason.';

/** Reads exit code and output by the rules of Claude Code. Output without effect is reported. */
export function readOutput({ code, stdout, stderr }: Printed, context: OutputContext): Outcome {
  const { event, hook, diagnose } = context;
  const report = (kind: string, message: string) => diagnose({ code: kind, event, hook, message });
  const text = stdout.trim();
  if (announcesAsync(text))
    report(
      'async-printed',
      'printed "async": true, which has no effect: Hookline waited for the hook. Set "async": true in its settings.',
    );
  const parsed = text.startsWith('{') ? parse(text) : undefined;
  if (parsed?.problem !== undefined) report('bad-json', parsed.problem);
  const outcome: Outcome = parsed?.value
    ? readJson(parsed.value, context)
    : parsed?.problem === undefined
      ? {}
      : { invalid: parsed.problem };
  const errorText = stderr.trim();
  if (errorText.startsWith('{'))
    report('json-on-stderr', 'printed JSON on standard error; Hookline reads only standard output.');

  if (code === 2) {
    if (CANNOT_BLOCK.has(event)) {
      report('cannot-block', `exited with 2, which has no effect at ${event}.${first(stderr)}`);
      return outcome;
    }
    const { permission, ...rest } = outcome;
    if (permission === 'allow') report('allow-and-exit-2', 'printed an allow and exited with 2; the exit code counts.');
    const why = outcome.block ?? (permission === 'deny' ? outcome.reason : undefined) ?? (errorText || undefined);
    if (why === undefined) report('no-reason', 'exited with 2 without a reason; print one on standard error.');
    return { ...rest, block: why ?? NO_REASON };
  }
  const decides = parsed?.value !== undefined && outcome.invalid === undefined;
  if (code !== 0 && !decides) {
    const hint = code === 1 ? ' To block, exit with 2.' : '';
    report('exit-code', `exited with ${code}, which is not a decision: the action continues.${hint}${first(stderr)}`);
    return outcome;
  }
  // Invalid JSON output is an error of the hook. Output that is not JSON is text.
  if (parsed?.value || text === '') return outcome;
  if (TEXT_IS_CONTEXT.has(event)) return { ...outcome, context: text };
  report(
    'text-ignored',
    `printed text, which has no effect at ${event}; print JSON, or exit with 2 and print the reason on standard error.`,
  );
  return outcome;
}

function parse(text: string): { readonly value?: object; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (thrown) {
    const why = messageOf(thrown);
    return { problem: `printed invalid JSON (${why}), which is treated as text.` };
  }
}

/** Accepts the whole text, or its first line if the script prints more afterwards. */
function announcesAsync(text: string): boolean {
  if (!text.startsWith('{')) return false;
  return [text, text.split('\n', 1)[0] as string].some((part) => {
    try {
      return (JSON.parse(part) as { readonly async?: unknown }).async === true;
    } catch {
      return false;
    }
  });
}

function first(stderr: string): string {
  const line = stderr.trim().split('\n')[0] ?? '';
  return line === '' ? '' : ` Output: ${line.slice(0, 200)}`;
}
