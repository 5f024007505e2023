import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { describeCall } from './describe-call.ts';

const FIRST_LINES = 5;
const MAX_LINE = 200;
/** A model receives a denial as an error, so it is detected by its first words. "Permission denied" is an error of the operating system. */
const DENIAL = /^(?:the call was )?(?:denied|refused|not approved|not allowed)\b/i;

/** Summarizes the result of a call: its outcome, the number of lines, and the first five lines. */
export function reportResult(tool: string, input: JsonObject, result: ToolResult): string {
  const lines = result.content.trimEnd().split('\n');
  const heading = `${outcomeOf(result)}: ${describeCall(tool, input)}.`;
  if (result.content.trim() === '') return `${heading} The result is empty.`;
  if (lines.length === 1) return `${heading} ${cut(lines[0] ?? '')}`;
  const shown = lines.slice(0, FIRST_LINES).map((line) => `\n  ${cut(line)}`);
  const which = lines.length > FIRST_LINES ? `, the first ${FIRST_LINES} are` : '';
  return `${heading} ${lines.length} lines${which}:${shown.join('')}`;
}

function outcomeOf({ content, isError, async }: ToolResult): string {
  if (isError) return DENIAL.test(content) ? 'Denied' : 'Failed';
  return async ? 'Begun' : 'Done';
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
