import type { SettledEvent } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import { textOf, toolCallsOf } from '../../../events/parts/messages.ts';
import { showNumber } from '../ui/format.ts';

export function describeEvent(event: SettledEvent): string {
  switch (event.type) {
    case 'preCall':
      return textOf(event.messages.at(-1));
    case 'preReasoning':
      return `${event.purpose === 'summary' ? 'summary, ' : ''}${count(event.messages.length, 'message')}${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`;
    case 'reasoningChunk':
      return event.part === 'toolInput' ? 'input of a call' : event.part;
    case 'postReasoning':
      return describeMessage(event.message);
    case 'preActing':
    case 'actingChunk':
      return event.toolCall.name;
    case 'postActing':
      return `${event.toolCall.name}: ${event.outcome}`;
    case 'postCall':
      return event.reason === undefined ? event.outcome : `${event.outcome}: ${event.reason}`;
    case 'error':
      return `${event.source}: ${event.error.message}`;
  }
}

function describeMessage(message: Message): string {
  const calls = toolCallsOf(message).map(({ name }) => `calls ${name}`);
  const text = textOf(message);
  return [...(text === '' ? [] : [text]), ...calls].join(' · ');
}

/** `1 event`, `2 events`. */
export function count(number: number, noun: string): string {
  return `${showNumber(number)} ${noun}${number === 1 ? '' : 's'}`;
}
