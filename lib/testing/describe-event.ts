import { askersOf } from '../events/decisions/ask.ts';
import type { EventOf, HookEvent } from '../events/hook-event.ts';
import type { Message } from '../events/parts/message.ts';
import { textOf, toolCallsOf } from '../events/parts/messages.ts';
import type { ToolCall } from '../events/parts/tool-call.ts';

/** Maximum length of a text in a description. */
const WIDTH = 60;

/**
 * Describes an event in one line: type, main content, decision after `=>`, and note codes in brackets. Fields with usual values, run and iteration
 * are omitted. The line of a sub-agent's event starts with its name. Texts are cut at `width`.
 */
export function describeEvent(event: HookEvent, width = WIDTH): string {
  const agent = event.run.depth > 0 ? `${event.run.agent}: ` : '';
  const words = [event.type, ...about(event, width), ...decided(event, width), ...remarks(event)];
  return agent + words.join(' ');
}

function about(event: HookEvent, width: number): string[] {
  switch (event.type) {
    case 'preCall':
      return event.messages.flatMap((message) => content(message, width));
    case 'preReasoning':
      return [...(event.purpose === 'summary' ? ['summary'] : []), ...attempt(event)];
    case 'reasoningChunk':
      return [
        ...(event.part === 'text' ? [] : [event.part]),
        ...(event.last ? ['last'] : [quote(event.delta, width)]),
        ...(event.block > 0 ? [`block ${event.block}`] : []),
        ...attempt(event),
      ];
    case 'postReasoning':
      return [
        ...(event.purpose === 'summary' ? ['summary'] : []),
        ...content(event.message, width),
        ...(event.finishReason === 'stop' || event.finishReason === 'toolCalls' ? [] : [event.finishReason]),
      ];
    case 'preActing':
      return [call(event.toolCall, width)];
    case 'actingChunk':
      return [event.toolCall.id, event.last ? 'last' : quote(event.content, width), ...attempt(event)];
    case 'postActing': {
      const surprising = event.result.isError && (event.outcome === 'executed' || event.outcome === 'responded');
      return [event.toolCall.id, event.outcome, ...(surprising ? ['isError'] : []), quote(event.result.content, width)];
    }
    case 'postCall':
      return [
        event.outcome,
        ...(event.message ? content(event.message, width) : []),
        ...(event.reason === undefined ? [] : [`(${cut(event.reason, width)})`]),
      ];
    case 'error':
      return [
        event.phase,
        event.source,
        ...(event.hook === undefined ? [] : [event.hook]),
        ...('toolCall' in event ? [event.toolCall.id] : []),
        quote(event.error.message, width),
      ];
  }
}

function content(message: Message, width: number): string[] {
  const text = textOf(message);
  const calls = toolCallsOf(message).map((one) => call(one, width));
  return text === '' && calls.length > 0 ? calls : [quote(text, width), ...calls];
}

function call({ id, name, input }: ToolCall, width: number): string {
  return `${id} ${name} ${cut(JSON.stringify(input), width)}`;
}

function attempt(event: EventOf<'preReasoning' | 'reasoningChunk' | 'actingChunk'>): string[] {
  return event.attempt > 1 ? [`attempt ${event.attempt}`] : [];
}

function decided(event: HookEvent, width: number): string[] {
  const { decision } = event;
  if (!decision) return [];
  const why =
    'reason' in decision
      ? [quote(decision.reason, width)]
      : 'prompt' in decision
        ? [quote(decision.prompt, width)]
        : 'message' in decision
          ? content(decision.message, width)
          : 'result' in decision
            ? [quote(decision.result.content, width)]
            : [];
  const by = askersOf(decision).join(', ');
  return ['=>', decision.action, ...why, ...(by === '' ? [] : [`by ${by}`])];
}

function remarks(event: HookEvent): string[] {
  return (event.notes ?? []).map(({ code }) => `[${code}]`);
}

function quote(text: string, width: number): string {
  return JSON.stringify(cut(text, width));
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width)}…` : text;
}
