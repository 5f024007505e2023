import { Subject } from 'rxjs';
import type { EventOf, SettledEvent } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import { textOf, thinkingOf } from '../../../events/parts/messages.ts';
import type { ToolDescription } from '../../../events/parts/tool-description.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import type { ModelChunk } from '../../../pipeline/define/model.ts';
import { field, listField, textField, withFields } from '../../../process-hooks/picoclaw/wire/fields.ts';
import { fromWireCalls, toWireCall } from '../../../process-hooks/picoclaw/wire/wire-call.ts';
import {
  fromWireMessages,
  toWireMessages,
  type WireMessage,
} from '../../../process-hooks/picoclaw/wire/wire-message.ts';
import { fromWireOptions, toWireOptions } from '../../../process-hooks/picoclaw/wire/wire-options.ts';
import { fromWireTools, toWireTool } from '../../../process-hooks/picoclaw/wire/wire-tools.ts';
import type { Params } from './read-request.ts';
import type { Turn } from './turn.ts';

/** `hook.before_llm`: preReasoning. The model step continues until `hook.after_llm` sends the model's answer. */
export async function beforeLlm(turn: Turn, params: Params): Promise<JsonObject> {
  const stopped = await turn.begun;
  if (stopped) return stopped;
  const wire = listField(params, 'messages') ?? [];
  const messages = wire.map((one) => fromWireMessages([one], [])[0] as Message);
  const tools = fromWireTools(listField(params, 'tools') ?? [], []);
  const given = field(params, 'options');
  const options = fromWireOptions(given, {});
  const model = textField(params, 'model');
  const answer$ = new Subject<ModelChunk>();
  turn.reasoning?.answer$.complete();
  const asked = await new Promise<EventOf<'preReasoning'> | undefined>((resolve, reject) => {
    const events$ = turn.run.reason({ messages, tools, options, ...(model && { model }) }, () => answer$);
    const post = lastPost(events$, (event) => event.type === 'preReasoning' && resolve(event));
    post.then(() => resolve(undefined), reject);
    post.catch(() => {});
    turn.reasoning = { answer$, post };
  });
  if (!asked) throw turn.run.fatal ?? new Error('the request was not settled');
  const { decision } = asked;
  if (decision?.action === 'abort')
    return { action: decision.rollback ? 'hard_abort' : 'abort_turn', reason: decision.reason };
  if (decision?.action === 'respond')
    return { action: 'abort_turn', reason: `A hook responded instead of the model: ${textOf(decision.message)}` };
  const settled = {
    messages: asked.messages.flatMap((message) => wireOf(message, messages, wire)),
    tools: asked.tools.map((tool) => toolOf(tool, tools, listField(params, 'tools') ?? [])),
    options:
      canonicalJson(asked.options as JsonValue) === canonicalJson(options as JsonValue)
        ? given
        : toWireOptions(asked.options),
    model: asked.model ?? model,
  };
  const same = Object.entries(settled).every(
    ([name, value]) => JSON.stringify(value ?? []) === JSON.stringify(field(params, name) ?? []),
  );
  // The host clears omitted fields, so the whole payload is returned.
  return same ? { action: 'continue' } : { action: 'modify', request: withFields(params, settled) as JsonObject };
}

/** `hook.after_llm`: the model's answer passes through chunk hooks and postReasoning. */
export async function afterLlm(turn: Turn, params: Params): Promise<JsonObject> {
  const response = field(params, 'response');
  if (!isObject(response)) return { action: 'continue' };
  if (!turn.reasoning) {
    const unasked = await beforeLlm(turn, {});
    if (!turn.reasoning) return unasked;
  }
  const { answer$, post } = turn.reasoning as NonNullable<Turn['reasoning']>;
  turn.reasoning = undefined;
  const thinking = textField(response, 'reasoning_content');
  const content = textField(response, 'content') ?? '';
  const calls = fromWireCalls(field(response, 'tool_calls'));
  if (thinking) answer$.next({ type: 'thinking', delta: thinking });
  if (content !== '') answer$.next({ type: 'text', delta: content });
  for (const toolCall of calls) answer$.next({ type: 'toolCall', toolCall });
  answer$.complete();
  const settled = await post;
  if (!settled) throw turn.run.fatal ?? new Error('a hook ended the answer');
  const { message, decision } = settled;
  if (decision?.action === 'abort')
    return { action: decision.rollback ? 'hard_abort' : 'abort_turn', reason: decision.reason };
  if (decision?.action === 'retry') {
    const reasons = (decision.messages ?? []).map(textOf).filter((text) => text !== '');
    return { action: 'abort_turn', reason: reasons.join('\n\n') || `hook "${decision.by}" requires a better answer` };
  }
  const kept = decision?.action === 'finish' ? [] : message.parts.filter((part) => part.type === 'toolCall');
  const text = textOf(message);
  const thought = thinkingOf(message);
  const before = canonicalJson([thinking ?? '', content, calls as unknown as JsonValue]);
  if (canonicalJson([thought, text, kept.map(({ toolCall }) => toolCall) as unknown as JsonValue]) === before)
    return { action: 'continue' };
  const toolCalls = kept.map(({ toolCall }) => toWireCall(toolCall));
  // Some providers repeat the thinking in these fields.
  const again = thought === (thinking ?? '') ? {} : { reasoning: '', reasoning_details: null };
  const own = { content: text, reasoning_content: thought, tool_calls: toolCalls, ...again };
  const changed = withFields(params, { response: withFields(response, own) });
  return { action: 'modify', response: changed as JsonObject };
}

function lastPost(
  events$: ReturnType<Turn['run']['reason']>,
  onEvent: (event: SettledEvent) => unknown,
): Promise<EventOf<'postReasoning'> | undefined> {
  return new Promise((resolve, reject) => {
    let post: EventOf<'postReasoning'> | undefined;
    let aborted = false;
    events$.subscribe({
      next(event) {
        if (event.type === 'postReasoning') post = event;
        if (event.decision?.action === 'abort' && event.type === 'reasoningChunk') aborted = true;
        onEvent(event);
      },
      error: reject,
      complete: () => (aborted ? reject(new Error('a hook ended the answer')) : resolve(post)),
    });
  });
}

/** Returns unchanged messages in their original form. */
function wireOf(message: Message, asked: readonly Message[], wire: readonly unknown[]): readonly unknown[] {
  const at = asked.indexOf(message);
  return at < 0 ? (toWireMessages(message) as readonly WireMessage[]) : [wire[at]];
}

function toolOf(tool: ToolDescription, asked: readonly ToolDescription[], wire: readonly unknown[]): unknown {
  const at = asked.indexOf(tool);
  return at < 0 ? toWireTool(tool) : wire[at];
}
