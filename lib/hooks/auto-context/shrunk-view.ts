import type { Message } from '../../events/parts/message.ts';
import { freezeListOfFrozen } from '../../events/values/deep-freeze.ts';
import type { Shrunk } from './session-memory.ts';
import type { SplitRequest } from './split-request.ts';

/** A request and how far it is shrunk; `summary` stands for what is left out. */
export interface ViewSource {
  readonly split: SplitRequest;
  readonly shrunk: Shrunk;
  readonly summary: Message | undefined;
}

/**
 * Makes the messages as the model gets them: shortened, the summary behind the first word of the user. Of a request that only goes on
 * from the one before, only the rest is looked at.
 */
export function viewMaker(short: (message: Message) => Message): (source: ViewSource) => readonly Message[] {
  let last:
    | { readonly source: ViewSource; readonly messages: readonly Message[]; readonly view: readonly Message[] }
    | undefined;
  return (source) => {
    const { messages } = source.split;
    const known = last !== undefined && goesOn(last.source, last.messages, source) ? last : undefined;
    // All of them are frozen, and so the engine need not look at each of a thousand again.
    const view = freezeListOfFrozen(
      known ? [...known.view, ...messages.slice(known.messages.length)] : make(source, short),
    );
    last = { source, messages, view };
    return view;
  };
}

/** Whether nothing is new but messages at the end, as they are. */
function goesOn(before: ViewSource, messages: readonly Message[], { split, shrunk }: ViewSource): boolean {
  if (before.shrunk !== shrunk || split.same < messages.length) return false;
  const { lastUser } = before.split;
  // What was the last word of the user may be left out now.
  return (
    shrunk.shortened <= split.talk.length - (split.messages.length - messages.length) &&
    (lastUser === split.lastUser || lastUser >= shrunk.dropped)
  );
}

function make({ split, shrunk, summary }: ViewSource, short: (message: Message) => Message): readonly Message[] {
  const { messages, talk, firstUser, lastUser } = split;
  const { dropped, shortened } = shrunk;
  const view: Message[] = [];
  const behind = firstUser >= 0 && firstUser < dropped ? firstUser : 0;
  let at = 0;
  for (const message of messages) {
    if (message !== talk[at]) {
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
