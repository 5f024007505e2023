import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { sayCall } from './say-call.ts';

const FIRST_LINES = 5;
const MAX_LINE = 200;
/** A denial reaches a model as an error like any other; only its first words tell. "Permission denied" is a system's failure. */
const DENIAL = /^(?:the call was )?(?:denied|refused|not approved|not allowed)\b/i;

/** What came back from a call, for people: what became of it, how many lines there are, and the first five of them. */
export function reportResult(tool: string, input: JsonObject, result: ToolResult): string {
  const lines = result.content.trimEnd().split('\n');
  const heading = `${outcomeOf(result)}: ${sayCall(tool, input)}.`;
  if (result.content.trim() === '') return `${heading} Nothing came back.`;
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
