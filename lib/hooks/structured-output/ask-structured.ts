import { concat, defer, filter, from, map, mergeMap, type Observable, throwError } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { Message, MessagePart } from '../../events/parts/message.ts';
import { assistantMessage, userMessage } from '../../events/parts/messages.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { ModelChunk, ModelRequest } from '../../pipeline/define/model.ts';
import type { Answers } from './answer-schema.ts';
import { readAnswer } from './read-answer.ts';

/** The settings of a structured request. */
export interface Asking {
  readonly answers: Answers;
  readonly mode: 'tool' | 'format' | 'prompt';
  readonly toolName: string;
  readonly attempts: number;
}

type Finish = Extract<ModelChunk, { type: 'finish' }>;

/** The reply of one attempt. */
interface Reply {
  /** Chunks held back until the answer is known. */
  readonly held: ModelChunk[];
  text: string;
  /** The call of the answer tool. */
  answer: ToolCall | undefined;
  calls: number;
  finish: Finish | undefined;
}

/**
 * Sends model requests until the final answer matches. A message with calls of other tools is not a final answer and passes. Each request is a new
 * attempt, so that a rejected answer is retracted. Errors with `MODEL_FAILED` when no attempt is left.
 */
export function askStructured(
  event: PreReasoning,
  next: (request: Partial<ModelRequest>) => Observable<ModelChunk>,
  asking: Asking,
): Observable<ModelChunk> {
  const { answers, mode, toolName, attempts } = asking;
  if (mode === 'tool' && event.tools.some(({ name }) => name === toolName)) {
    const message = `A tool named "${toolName}" already exists. Set another toolName in structuredOutput.`;
    return throwError(() => new HooklineError('TOOL_INVALID', message));
  }
  const alone = mode === 'tool' && event.tools.length === 0;
  const asked = requestFor(event, asking);

  function attempt(count: number, messages: readonly Message[]): Observable<ModelChunk> {
    const reply: Reply = { held: [], text: '', answer: undefined, calls: 0, finish: undefined };
    return concat(
      next({ ...asked, messages }).pipe(
        map((chunk) => pass(chunk, reply)),
        filter((chunk) => chunk !== undefined),
      ),
      defer(() => conclude(count, messages, reply)),
    );
  }

  /** Returns the chunk to forward at once, if any. */
  function pass(chunk: ModelChunk, reply: Reply): ModelChunk | undefined {
    if (chunk.type === 'finish') {
      reply.finish = chunk;
      return undefined;
    }
    if (chunk.type === 'toolCall' && mode === 'tool' && chunk.toolCall.name === toolName) {
      reply.answer ??= chunk.toolCall;
      return undefined;
    }
    if (chunk.type === 'toolCall') reply.calls += 1;
    // No other tool is available, so this is the answer.
    if (chunk.type === 'toolInput' && alone) {
      reply.text += chunk.delta;
      return { type: 'text', delta: chunk.delta };
    }
    if (chunk.type !== 'text') return chunk;
    // Text next to the call of the answer tool is not part of the answer.
    if (mode === 'tool') {
      reply.held.push(chunk);
      return undefined;
    }
    reply.text += chunk.delta;
    return chunk;
  }

  function conclude(count: number, messages: readonly Message[], reply: Reply): Observable<ModelChunk> {
    const ending = reply.finish ? [reply.finish] : [];
    if (reply.calls > 0) return from([...reply.held, ...ending]);
    const found = answerOf(reply);
    if (found === undefined) return again(count, messages, reply, whyNone(asking));
    const streamed = readAnswer(reply.text);
    if (reply.text !== '' && (!streamed || canonicalJson(streamed.value) !== canonicalJson(found)))
      return again(count, messages, reply, 'the streamed text is not the answer');
    return answers.check(found).pipe(
      mergeMap((checked) => {
        if ('problems' in checked) return again(count, messages, reply, checked.problems);
        const json = JSON.stringify(found);
        const rest: ModelChunk[] = streamed ? [] : [{ type: 'text', delta: json }];
        return from([...rest, ...ending.map((chunk) => ({ ...chunk, finishReason: 'stop' as const }))]);
      }),
    );
  }

  function again(count: number, messages: readonly Message[], reply: Reply, problems: string): Observable<ModelChunk> {
    if (count < attempts) return attempt(count + 1, [...messages, ...correction(reply, problems, asking)]);
    const times = attempts === 1 ? 'the first attempt' : `${attempts} attempts`;
    const message = `The answer does not match the schema after ${times}: ${problems.replaceAll('\n', '; ')}`;
    return throwError(() => new HooklineError('MODEL_FAILED', message));
  }

  return attempt(1, asked.messages ?? event.messages);
}

function answerOf(reply: Reply): JsonValue | undefined {
  return reply.answer ? reply.answer.input : readAnswer(replyText(reply))?.value;
}

function replyText({ text, held }: Reply): string {
  return text || held.map((chunk) => (chunk.type === 'text' ? chunk.delta : '')).join('');
}

function whyNone({ mode, toolName }: Asking): string {
  return mode === 'tool' ? `the tool ${toolName} was not called` : 'the answer contains more than JSON';
}

function requestFor({ messages, tools, options }: PreReasoning, asking: Asking): Partial<ModelRequest> {
  const { answers, mode, toolName } = asking;
  if (mode === 'format')
    return {
      messages,
      options: { ...options, responseFormat: { type: 'json', name: toolName, schema: answers.json } },
    };
  if (mode === 'prompt') {
    const how = `Give the final answer as JSON only, without a code block and without other text. It must match this JSON Schema:\n${JSON.stringify(answers.json)}`;
    return { messages: [...messages, { ...userMessage(how), origin: 'structured-output' }] };
  }
  const description = 'Gives the final answer. Call it once, as the only call, when everything else is done.';
  return {
    messages,
    tools: [...tools, { name: toolName, description, inputSchema: answers.json, permission: 'read' }],
    options: { ...options, toolChoice: tools.length === 0 ? { tool: toolName } : 'required' },
  };
}

/** Returns the model's reply and its validation errors as messages. */
function correction(reply: Reply, problems: string, { toolName }: Asking): readonly Message[] {
  const ask = `The answer does not match the schema:\n${problems}\nGive the complete, corrected answer.`;
  const { answer } = reply;
  if (!answer) {
    const text = replyText(reply);
    return [...(text === '' ? [] : [assistantMessage(text)]), userMessage(ask)];
  }
  const parts: MessagePart[] = [{ type: 'toolCall', toolCall: answer }];
  const result = { content: ask, isError: true };
  return [
    { role: 'assistant', parts },
    { role: 'tool', parts: [{ type: 'toolResult', toolCallId: answer.id, toolName, result }] },
  ];
}
