import { isChunk } from '../../events/chunk-text.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { textOf } from '../../events/parts/messages.ts';

/** The text by which a run is found. */
export interface SearchText {
  add(event: SettledEvent): void;
  /** In lower case, one line for each text. */
  readonly text: string;
}

/** Maximum numbers of characters of a run, of a message, and of an input or result. */
const MOST = 8_000;
const MOST_SAID = 2_000;
const MOST_OF_CALL = 500;

/** Collects the start of each prompt, answer, input and result of a run and its sub-agents, and the names of tools. */
export function createSearchText(): SearchText {
  let text = '';

  function add(part: string | undefined, most: number): void {
    if (!part || text.length >= MOST) return;
    text = `${text}${part.slice(0, most).toLowerCase()}\n`.slice(0, MOST);
  }

  return {
    add(event) {
      if (isChunk(event) || text.length >= MOST) return;
      if (event.type === 'preCall')
        for (const message of event.messages.filter(isSaid)) add(textOf(message), MOST_SAID);
      if (event.type === 'postReasoning') add(textOf(event.message), MOST_SAID);
      if (event.type === 'preActing')
        add(`${event.toolCall.name} ${JSON.stringify(event.toolCall.input)}`, MOST_OF_CALL);
      if (event.type === 'postActing') add(contentOf(event.result.content), MOST_OF_CALL);
      if (event.type === 'error') add(event.error.message, MOST_OF_CALL);
    },
    get text() {
      return text;
    },
  };
}

function isSaid({ role }: Message): boolean {
  return role === 'user' || role === 'assistant';
}

function contentOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
