import { abort } from '../../events/decisions/abort.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { MessagePart } from '../../events/parts/message.ts';
import { textOf, thinkingOf, toolCallsOf } from '../../events/parts/messages.ts';
import type { PostReasoning } from '../../events/post-reasoning.ts';
import type { Reading } from './dialect.ts';
import { readAction, warnOfNothing } from './read-action.ts';
import { listField, recordField, textField } from './wire/fields.ts';
import { fromWireCalls, toWireCall } from './wire/wire-call.ts';
import { wireParams } from './wire/wire-scope.ts';

const REASONS: Readonly<Record<string, string>> = { toolCalls: 'tool_calls', contentFilter: 'content_filter' };

/** Returns the params of `hook.after_llm` as JSON. */
export function afterLlmParams(event: PostReasoning, model: string): string {
  const { message, usage, finishReason } = event;
  const calls = toolCallsOf(message);
  const reasoning = thinkingOf(message);
  return wireParams(event, 'turn.llm.response', {
    model,
    response: {
      role: 'assistant',
      content: textOf(message),
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls.map(toWireCall) }),
      finish_reason: REASONS[finishReason] ?? finishReason,
      ...(usage && {
        usage: {
          prompt_tokens: usage.inputTokens,
          completion_tokens: usage.outputTokens,
          total_tokens: usage.inputTokens + usage.outputTokens,
        },
      }),
      reasoning,
      reasoning_details: null,
    },
  });
}

/** Applies the reply. The payload is in `response.response`, as in the original, or in `response`. */
export function takeAfterLlm(event: PostReasoning, reply: unknown, reading: Reading): PostReasoning | undefined {
  const { action, reason } = readAction(reply, reading);
  if (action === 'abort_turn' || action === 'hard_abort')
    return abort(event, reason ?? 'hook requested turn abort', { rollback: action === 'hard_abort' });
  if (action === 'unknown') return undefined;
  if (action !== 'continue' && action !== 'modify') {
    reading.diagnose('no-effect', `answered after_llm with ${action}, which has no effect there.`);
    return undefined;
  }
  const outer = recordField(reply, 'response');
  const response = recordField(outer, 'response') ?? outer;
  if (!response) {
    warnOfNothing(reply, ['response'], reading);
    return undefined;
  }
  const parts = partsOf(event, response, reading);
  const same = JSON.stringify(parts) === JSON.stringify(event.message.parts);
  return same ? undefined : modify(event, { message: { ...event.message, parts } });
}

function partsOf(event: PostReasoning, response: object, { dialect }: Reading): MessagePart[] {
  const { parts } = event.message;
  const content = textField(response, 'content') ?? (dialect.reply === 'replace' ? '' : textOf(event.message));
  const kept = parts.filter(({ type }) => type !== 'text' && type !== 'toolCall');
  const text: MessagePart[] =
    content === textOf(event.message)
      ? parts.filter(({ type }) => type === 'text')
      : content === ''
        ? []
        : [{ type: 'text', text: content }];
  const returned = listField(response, 'tool_calls');
  const known = new Map(parts.flatMap((part) => (part.type === 'toolCall' ? [[part.toolCall.id, part]] : [])));
  // A reply without calls never removes them: the original did not send them to most hooks, and echoes removed them.
  if (!returned) return [...kept, ...text, ...known.values()];
  const calls = fromWireCalls(returned).map((toolCall): MessagePart => {
    const before = known.get(toolCall.id);
    const same = before && JSON.stringify(before.toolCall) === JSON.stringify(toolCall);
    return same ? before : { ...before, type: 'toolCall', toolCall };
  });
  return [...kept, ...text, ...calls];
}
