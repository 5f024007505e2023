import type { Message } from '../../events/parts/message.ts';
import { textOf, toolCallsOf } from '../../events/parts/messages.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { ModelRequest } from '../../pipeline/define/model.ts';
import { describeCall, short } from './describe-call.ts';
import { type PlannedCall, readRequests } from './read-requests.ts';
import { examples } from './rules.ts';

/** The text and the calls of a reply. */
export interface Answer {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
}

/**
 * Plans the reply from the request's messages: the next step of the user's last request, or a report after the last step. A turn counts whatever its
 * outcome, so there are never more turns than steps.
 */
export function planAnswer({ messages, tools }: ModelRequest): Answer {
  const asked = lastQuestion(messages, tools.length === 0);
  const { steps, unclear } = readRequests(textOf(messages[asked]));
  const since = messages.slice(asked + 1);
  const turns = since.filter((message) => toolCallsOf(message).length > 0).length;
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  const possible = steps.map((step) => step.filter(({ tool }) => offered.has(tool))).filter((step) => step.length > 0);
  const next = possible[turns];
  if (next) {
    const words = next.map(({ tool, input }) => describeCall(tool, input)).join(' and ');
    return {
      text: `${turns === 0 ? 'I will' : 'Next I will'} ${words}.`,
      toolCalls: toToolCalls(next, offered, messages),
    };
  }
  const missing = (tools.length > 0 ? steps : steps.slice(turns)).flat().filter(({ tool }) => !offered.has(tool));
  const paragraphs = [
    ...reportsOf(since),
    ...missing.map(({ tool, input }) => `Not done: ${describeCall(tool, input)}. The tool ${tool} is not available.`),
    ...unclear.map((words) => `I did not understand ${JSON.stringify(short(words))}.`),
    ...(unclear.length > 0 || steps.length === 0 ? [aboutMyself()] : []),
  ];
  return { text: paragraphs.join('\n') || 'Nothing to report.', toolCalls: [] };
}

/**
 * Returns the index of the message to answer: the user's last. An injected message counts only if there is no other. A request without tools asks
 * for a report, and its message may follow the one with the results.
 */
function lastQuestion(messages: readonly Message[], forReport: boolean): number {
  const last = (matches: (message: Message) => boolean) =>
    messages.findLastIndex((message) => message.role === 'user' && matches(message));
  const own = last(({ origin }) => origin === undefined);
  const understood = forReport ? last((message) => readRequests(textOf(message)).steps.length > 0) : -1;
  return [understood, own].find((index) => index >= 0) ?? last(() => true);
}

function toToolCalls(
  planned: readonly PlannedCall[],
  offered: ReadonlyMap<string, ToolDescription>,
  messages: readonly Message[],
): ToolCall[] {
  const taken = new Set(messages.flatMap((message) => toolCallsOf(message).map(({ id }) => id)));
  let number = taken.size;
  return planned.map(({ tool, input }) => {
    do number += 1;
    while (taken.has(`call-${number}`));
    return { id: `call-${number}`, name: tool, input: fitInput(input, offered.get(tool)) };
  });
}

/** Search tools use different names for the search text: `query` becomes `pattern` if the schema requires it. */
function fitInput({ query, ...input }: PlannedCall['input'], tool: ToolDescription | undefined): PlannedCall['input'] {
  if (query === undefined) return input;
  const fields = Object.keys((tool?.inputSchema['properties'] as object | undefined) ?? {});
  return { [fields.includes('pattern') && !fields.includes('query') ? 'pattern' : 'query']: query, ...input };
}

function reportsOf(messages: readonly Message[]): string[] {
  const calls = new Map(messages.flatMap((message) => toolCallsOf(message).map((call) => [call.id, call])));
  return messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => {
      if (part.type !== 'toolResult') return [];
      const call = calls.get(part.toolCallId);
      return [reportResult(call?.name ?? part.toolName, call?.input ?? {}, part.result)];
    });
}

function aboutMyself(): string {
  return [
    'I am the offline model: a few rules instead of a language model. I understand requests such as',
    ...examples.map((example) => `  ${example}`),
    'and several of them joined by "then" (one after the other) or "and" (at once).',
  ].join('\n');
}

const FIRST_LINES = 5;
const MAX_LINE = 200;
/** A model receives a denial as an error, so it is detected by its first words. "Permission denied" is an error of the operating system. */
const DENIAL = /^(?:the call was )?(?:denied|refused|not approved|not allowed)\b/i;

/** Summarizes the result of a call: its outcome, the number of lines, and the first five lines. */
function reportResult(tool: string, input: JsonObject, result: ToolResult): string {
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
