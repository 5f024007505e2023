import { firstValueFrom, from } from 'rxjs';
import { createAgent } from '../../../agent/create-agent.ts';
import { HooklineError } from '../../../errors.ts';
import type { Message } from '../../../events/parts/message.ts';
import { textOf } from '../../../events/parts/messages.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { createPipeline } from '../../../pipeline/create-pipeline.ts';
import { defineHook } from '../../../pipeline/define/define-hook.ts';
import { verdict } from '../../../pipeline/define/hook.ts';
import type { ModelChunk, ModelRequest } from '../../../pipeline/define/model.ts';
import type { Tool, ToolContext } from '../../../pipeline/define/tool.ts';

/** Input that a server requests before it answers a call. */
export interface InputRequired {
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params?: JsonObject }>>;
  readonly requestState?: string;
}

/** The fields with which the call is sent again. */
export interface GivenInput {
  readonly inputResponses: JsonObject;
  readonly requestState?: string;
}

const TOOL = 'elicitation';

/** Asks for `content`. The answer sets the input of this call. */
const asking: Tool<JsonObject> = {
  name: TOOL,
  description: 'A form of an MCP server. To approve it, set the fields of the form in "content".',
  inputSchema: { type: 'object' },
  execute: ({ content = {} }) => JSON.stringify(content),
};
const pipeline = createPipeline([
  defineHook({
    name: 'mcp-questions',
    approve: ({ toolCall }) => verdict.suspend(`The MCP server asks: ${String(toolCall.input['message'])}`),
  }),
]);
/** Asks all questions at once and returns the answers. It is a run of its own, so that the call is suspended with it. */
const agent = createAgent({ name: 'mcp-questions', model: questions, tools: [asking] });

/** Suspends the call until the questions are answered. Rejects with `TOOL_FAILED` for other kinds of requests. */
export async function suspendForInput(wanted: InputRequired, { child }: ToolContext): Promise<GivenInput> {
  const { inputRequests = {}, requestState } = wanted;
  const other = Object.values(inputRequests).find(
    ({ method, params }) => method !== 'elicitation/create' || params?.['mode'] === 'url',
  );
  if (other)
    throw new HooklineError('TOOL_FAILED', `The MCP server requests ${other.method}, which is not supported here.`);
  const about = JSON.stringify({ inputRequests, ...(requestState !== undefined && { requestState }) });
  const post = await firstValueFrom(child(agent, about, { pipeline }));
  return JSON.parse(textOf(post.message));
}

function questions({ messages }: ModelRequest) {
  const asked = JSON.parse(textOf(messages.find(({ role }) => role === 'user'))) as InputRequired;
  const answers = messages.findLast(({ role }) => role === 'tool');
  return from<ModelChunk[]>(
    answers
      ? [
          { type: 'text', delta: promptOf(asked, answers) },
          { type: 'finish', finishReason: 'stop' },
        ]
      : [...calls(asked), { type: 'finish', finishReason: 'toolCalls' }],
  );
}

function calls({ inputRequests = {} }: InputRequired): ModelChunk[] {
  return Object.entries(inputRequests).map(([id, { params = {} }]) => ({
    type: 'toolCall',
    toolCall: { id, name: TOOL, input: { ...params, content: defaultsOf(params['requestedSchema'] as JsonObject) } },
  }));
}

function promptOf({ requestState }: InputRequired, { parts }: Message): string {
  const responses = parts.flatMap((part): [string, JsonObject][] => {
    if (part.type !== 'toolResult') return [];
    const { toolCallId, result } = part;
    const { content, isError } = result;
    return [[toolCallId, isError ? { action: 'decline' } : { action: 'accept', content: JSON.parse(content) }]];
  });
  return JSON.stringify({
    inputResponses: Object.fromEntries(responses),
    ...(requestState !== undefined && { requestState }),
  });
}

function defaultsOf(schema: JsonObject | undefined): JsonObject {
  const fields = Object.entries((schema?.['properties'] ?? {}) as Record<string, JsonObject>);
  return Object.fromEntries(
    fields.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
}
