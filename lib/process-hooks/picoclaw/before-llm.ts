import { abort } from '../../events/decisions/abort.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { Message } from '../../events/parts/message.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import type { Reading } from './dialect.ts';
import { readAction, warnOfNothing } from './read-action.ts';
import { listField, recordField, textField } from './wire/fields.ts';
import { fromWireMessages, toWireMessages } from './wire/wire-message.ts';
import { fromWireOptions, toWireOptions } from './wire/wire-options.ts';
import { wireParams } from './wire/wire-scope.ts';
import { fromWireTools, toWireTool } from './wire/wire-tools.ts';

/** Returns the params of `hook.before_llm` as JSON. */
export function beforeLlmParams(event: PreReasoning): string {
  return wireParams(event, 'turn.llm.request', {
    model: event.model ?? '',
    messages: event.messages.flatMap(toWireMessages),
    ...(event.tools.length > 0 && { tools: event.tools.map(toWireTool) }),
    options: toWireOptions(event.options),
    graceful_terminal: event.purpose === 'summary',
  });
}

/** Applies the reply. */
export function takeBeforeLlm(event: PreReasoning, reply: unknown, reading: Reading): PreReasoning | undefined {
  const { action, reason } = readAction(reply, reading);
  if (action === 'abort_turn' || action === 'hard_abort')
    return abort(event, reason ?? 'hook requested turn abort', { rollback: action === 'hard_abort' });
  if (action === 'unknown') return undefined;
  if (action !== 'continue' && action !== 'modify') {
    reading.diagnose('no-effect', `answered before_llm with ${action}, which has no effect there.`);
    return undefined;
  }
  const request = recordField(reply, 'request');
  if (!request) {
    warnOfNothing(reply, ['request'], reading);
    if (action === 'modify') reading.diagnose('no-payload', 'returned modify without a request; nothing is changed.');
    return undefined;
  }
  const changes = { ...messagesOf(event, request, reading), ...toolsOf(event, request, reading) };
  const model = textField(request, 'model');
  const options = recordField(request, 'options');
  return modify(event, {
    ...changes,
    ...(model && model !== event.model && { model }),
    ...(options !== undefined && { options: fromWireOptions(options, event.options) }),
    ...(options === undefined && reading.dialect.reply === 'replace' && { options: {} }),
  });
}

function messagesOf(event: PreReasoning, request: object, { dialect, diagnose }: Reading): { messages?: Message[] } {
  const returned = listField(request, 'messages');
  if (!returned) return {};
  if (returned.length === 0) {
    diagnose('no-messages', 'returned no messages, which a model request requires, so they are unchanged.');
    return {};
  }
  const sent = event.messages.map((message) => ({ message, wire: toWireMessages(message) }));
  const messages = fromWireMessages(returned, sent);
  if (dialect.changes === 'apply' || systemOf(messages) === systemOf(event.messages)) return { messages };
  diagnose('system-kept', 'changed a system message; with dialect.changes "keep", its message changes are ignored.');
  return {};
}

/** Returns system messages with their positions. A message inserted before them also counts as a change, as in the original. */
function systemOf(messages: readonly Message[]): string {
  return JSON.stringify(
    messages.flatMap((message, index) => (message.role === 'system' ? [[index, message.parts]] : [])),
  );
}

function toolsOf(event: PreReasoning, request: object, { dialect, diagnose }: Reading) {
  const returned = listField(request, 'tools');
  if (returned === undefined && dialect.reply === 'merge') return {};
  const wire = returned ?? [];
  const tools = fromWireTools(wire, event.tools);
  if (JSON.stringify(tools) === JSON.stringify(event.tools)) return {};
  if (dialect.changes === 'apply') return { tools };
  diagnose('tools-kept', 'changed the tools, which has no effect with dialect.changes "keep".');
  return {};
}
