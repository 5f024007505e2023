import type { Message } from '../../events/parts/message.ts';
import { freezeListOfFrozen } from '../../events/values/deep-freeze.ts';
import type { Shrunk } from './session-memory.ts';
import type { SplitRequest } from './split-request.ts';

/** A request and its shrinking; `summary` replaces dropped messages. */
export interface ViewSource {
  readonly split: SplitRequest;
  readonly shrunk: Shrunk;
  readonly summary: Message | undefined;
}

/**
 * Creates the messages for the model: shortened, with the summary after the first user message. If a request continues the previous one, only the
 * rest is processed.
 */
export function viewMaker(short: (message: Message) => Message): (source: ViewSource) => readonly Message[] {
  let last:
    | { readonly source: ViewSource; readonly messages: readonly Message[]; readonly view: readonly Message[] }
    | undefined;
  return (source) => {
    const { messages } = source.split;
    const known = last !== undefined && goesOn(last.source, last.messages, source) ? last : undefined;
    // All messages are frozen, so the engine does not check each of them again.
    const view = freezeListOfFrozen(
      known ? [...known.view, ...messages.slice(known.messages.length)] : make(source, short),
    );
    last = { source, messages, view };
    return view;
  };
}

/** Returns whether the request only adds messages at the end. */
function goesOn(before: ViewSource, messages: readonly Message[], { split, shrunk }: ViewSource): boolean {
  if (before.shrunk !== shrunk || split.same < messages.length) return false;
  const { lastUser } = before.split;
  // The previous last user message may be dropped now.
  return (
    shrunk.shortened <= split.conversation.length - (split.messages.length - messages.length) &&
    (lastUser === split.lastUser || lastUser >= shrunk.dropped)
  );
}

function make({ split, shrunk, summary }: ViewSource, short: (message: Message) => Message): readonly Message[] {
  const { messages, conversation, firstUser, lastUser } = split;
  const { dropped, shortened } = shrunk;
  const view: Message[] = [];
  const behind = firstUser >= 0 && firstUser < dropped ? firstUser : 0;
  let at = 0;
  for (const message of messages) {
    if (message !== conversation[at]) {
      view.push(message);
      continue;
    }
    const isPinned = at === firstUser || at === lastUser;
    if (at === behind && dropped > 0 && !isPinned && summary) view.push(summary);
    if (at >= dropped || isPinned) view.push(at < shortened ? short(message) : message);
    if (at === behind && dropped > 0 && isPinned && summary) view.push(summary);
    at += 1;
  }
  return view;
}
