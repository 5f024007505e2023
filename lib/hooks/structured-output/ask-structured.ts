import { concat, concatMap, defer, from, mergeMap, type Observable, throwError } from 'rxjs';
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

/** How the model is asked for an answer in a shape. */
export interface Asking {
  readonly answers: Answers;
  readonly mode: 'tool' | 'format' | 'prompt';
  readonly toolName: string;
  readonly attempts: number;
}

type Finish = Extract<ModelChunk, { type: 'finish' }>;

/** What one attempt has brought. */
interface Heard {
  /** What is not passed on before it is known what the answer is. */
  readonly held: ModelChunk[];
  text: string;
  /** The call of the answer's tool. */
  answer: ToolCall | undefined;
  calls: number;
  finish: Finish | undefined;
}

/**
 * Asks the model until its final answer fits; a message with calls of other tools is no final answer and passes. Each question is an
 * attempt of its own, so that what did not fit is withdrawn. Errors with `MODEL_FAILED` when no attempt is left.
 */
export function askStructured(
  event: PreReasoning,
  next: (request: Partial<ModelRequest>) => Observable<ModelChunk>,
  asking: Asking,
): Observable<ModelChunk> {
  const { answers, mode, toolName, attempts } = asking;
  if (mode === 'tool' && event.tools.some(({ name }) => name === toolName)) {
    const message = `There is a tool "${toolName}" already. Give structuredOutput another toolName.`;
    return throwError(() => new HooklineError('TOOL_INVALID', message));
  }
  const alone = mode === 'tool' && event.tools.length === 0;
  const asked = requestFor(event, asking);

  function attempt(count: number, messages: readonly Message[]): Observable<ModelChunk> {
    const heard: Heard = { held: [], text: '', answer: undefined, calls: 0, finish: undefined };
    return concat(
      next({ ...asked, messages }).pipe(concatMap((chunk) => from(pass(chunk, heard)))),
      defer(() => conclude(count, messages, heard)),
    );
  }

  /** What of a chunk goes on at once. */
  function pass(chunk: ModelChunk, heard: Heard): readonly ModelChunk[] {
    if (chunk.type === 'finish') {
      heard.finish = chunk;
      return [];
    }
    if (chunk.type === 'toolCall' && mode === 'tool' && chunk.toolCall.name === toolName) {
      heard.answer ??= chunk.toolCall;
      return [];
    }
    if (chunk.type === 'toolCall') heard.calls += 1;
    // Nothing else can be called, so this is the answer as it comes.
    if (chunk.type === 'toolInput' && alone) {
      heard.text += chunk.delta;
      return [{ type: 'text', delta: chunk.delta }];
    }
    if (chunk.type !== 'text') return [chunk];
    // Beside the call of the answer's tool a text is no part of the answer.
    if (mode === 'tool') {
      heard.held.push(chunk);
      return [];
    }
    heard.text += chunk.delta;
    return [chunk];
  }

  function conclude(count: number, messages: readonly Message[], heard: Heard): Observable<ModelChunk> {
    const ending = heard.finish ? [heard.finish] : [];
    if (heard.calls > 0) return from([...heard.held, ...ending]);
    const found = answerOf(heard);
    if (found === undefined) return again(count, messages, heard, whyNone(asking));
    const streamed = readAnswer(heard.text);
    if (heard.text !== '' && (!streamed || canonicalJson(streamed.value) !== canonicalJson(found)))
      return again(count, messages, heard, 'what was streamed is not the answer');
    return answers.check(found).pipe(
      mergeMap((checked) => {
        if ('faults' in checked) return again(count, messages, heard, checked.faults);
        const json = JSON.stringify(found);
        const rest: ModelChunk[] = streamed ? [] : [{ type: 'text', delta: json }];
        return from([...rest, ...ending.map((chunk) => ({ ...chunk, finishReason: 'stop' as const }))]);
      }),
    );
  }

  function again(count: number, messages: readonly Message[], heard: Heard, faults: string): Observable<ModelChunk> {
    if (count < attempts) return attempt(count + 1, [...messages, ...correction(heard, faults, asking)]);
    const times = attempts === 1 ? 'the first attempt' : `${attempts} attempts`;
    const message = `The answer does not fit the schema after ${times}: ${faults.replaceAll('\n', '; ')}`;
    return throwError(() => new HooklineError('MODEL_FAILED', message));
  }

  return attempt(1, asked.messages ?? event.messages);
}

function answerOf(heard: Heard): JsonValue | undefined {
  return heard.answer ? heard.answer.input : readAnswer(saidIn(heard))?.value;
}

function saidIn({ text, held }: Heard): string {
  return text || held.map((chunk) => (chunk.type === 'text' ? chunk.delta : '')).join('');
}

function whyNone({ mode, toolName }: Asking): string {
  return mode === 'tool' ? `the tool ${toolName} was not called` : 'the answer is not JSON alone';
}

function requestFor({ messages, tools, options }: PreReasoning, asking: Asking): Partial<ModelRequest> {
  const { answers, mode, toolName } = asking;
  if (mode === 'format')
    return {
      messages,
      options: { ...options, responseFormat: { type: 'json', name: toolName, schema: answers.json } },
    };
  if (mode === 'prompt') {
    const how = `Give the final answer as JSON alone, without a code block and without any other text. It must fit this JSON Schema:\n${JSON.stringify(answers.json)}`;
    return { messages: [...messages, { ...userMessage(how), origin: 'structured-output' }] };
  }
  const description = 'Gives the final answer. Call it once, alone, when everything else is done.';
  return {
    messages,
    tools: [...tools, { name: toolName, description, inputSchema: answers.json, permission: 'read' }],
    options: { ...options, toolChoice: tools.length === 0 ? { tool: toolName } : 'required' },
  };
}

/** What the model said, and what is wrong with it. */
function correction(heard: Heard, faults: string, { toolName }: Asking): readonly Message[] {
  const ask = `The answer does not fit:\n${faults}\nGive the whole answer again, corrected.`;
  const { answer } = heard;
  if (!answer) {
    const said = saidIn(heard);
    return [...(said === '' ? [] : [assistantMessage(said)]), userMessage(ask)];
  }
  const parts: MessagePart[] = [{ type: 'toolCall', toolCall: answer }];
  const result = { content: ask, isError: true };
  return [
    { role: 'assistant', parts },
    { role: 'tool', parts: [{ type: 'toolResult', toolCallId: answer.id, toolName, result }] },
  ];
}
