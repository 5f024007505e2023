import type { EventOf } from '../../../events/hook-event.ts';
import type { Message } from '../../../events/parts/message.ts';
import { isPrompt, textOf } from '../../../events/parts/messages.ts';
import { lanes, type RunModel } from './run-model.ts';

/** A message that the user of a run saw: its sender and place. */
export interface Seen {
  readonly from: 'user' | 'assistant' | 'tool' | 'notice';
  readonly text: string;
  readonly index: number;
  /** Whether it was shown and retracted: another attempt or message replaced it. */
  readonly withdrawn?: boolean;
}

/** The messages that the model of a run saw. */
export interface Asked {
  readonly messages: readonly Message[];
  /** The model request that contains them; -1 before the first. */
  readonly index: number;
}

/** Returns the last model request up to a place, with the answer to it. */
export function askedBy(model: RunModel, node: number, upTo: number): Asked {
  const index = lastIn(model, node, 'preReasoning', upTo);
  if (index < 0) return { messages: [], index };
  const { messages } = model.requestOf(index);
  const answer = lastIn(model, node, 'postReasoning', upTo);
  if (answer < index) return { messages, index };
  return { messages: [...messages, (model.events[answer] as EventOf<'postReasoning'>).message], index };
}

function lastIn(model: RunModel, node: number, type: (typeof lanes)[number], upTo: number): number {
  const column = model.nodes[node]?.byLane[lanes.indexOf(type)];
  for (let at = (column?.length ?? 0) - 1; at >= 0; at -= 1) {
    const index = column?.at(at) ?? -1;
    if (index <= upTo) return index;
  }
  return -1;
}

/** Returns the messages that the user saw up to a place: the streamed text of chunks, and whether it was retracted. */
export function seenBy(model: RunModel, node: number, upTo: number): readonly Seen[] {
  const seen: Seen[] = [];
  let open: { index: number; attempt: number; text: string } | undefined;
  const close = (withdrawn: boolean): void => {
    if (open && open.text !== '')
      seen.push({ from: 'assistant', text: open.text, index: open.index, ...(withdrawn && { withdrawn }) });
    open = undefined;
  };
  for (const index of indexesOf(model, node, upTo)) {
    const event = model.events[index]!;
    if (event.type === 'preCall')
      for (const message of event.messages) {
        const text = textOf(message);
        if (isPrompt(message) && text !== '') seen.push({ from: 'user', text, index });
      }
    else if (event.type === 'reasoningChunk' && event.part === 'text') {
      if (open && event.attempt > open.attempt) close(true);
      open ??= { index, attempt: event.attempt, text: '' };
      open.text += event.delta;
    } else if (event.type === 'postReasoning') {
      const text = textOf(event.message);
      const same = open?.text === text;
      close(!same);
      if (!same && text !== '') seen.push({ from: 'assistant', text, index });
    } else if (event.type === 'postActing') {
      const { forUser, silent, content } = event.result;
      if (forUser !== undefined && !silent) seen.push({ from: 'tool', text: forUser, index });
      else if (event.outcome === 'denied')
        seen.push({ from: 'notice', text: `${event.toolCall.name} was denied: ${content}`, index });
    } else if (event.type === 'postCall') {
      close(false);
      const text = textOf(event.message);
      const last = seen.findLast(({ from, withdrawn }) => from === 'assistant' && !withdrawn);
      if (text !== '' && last?.text !== text) seen.push({ from: 'assistant', text, index });
      if (event.outcome !== 'completed')
        seen.push({
          from: 'notice',
          text: `The run ended: ${event.outcome}${event.reason ? `, ${event.reason}` : ''}`,
          index,
        });
    }
  }
  close(false);
  return seen;
}

const shownLanes = ['preCall', 'reasoningChunk', 'postReasoning', 'postActing', 'postCall'].map((type) =>
  lanes.indexOf(type as (typeof lanes)[number]),
);

function indexesOf(model: RunModel, node: number, upTo: number): readonly number[] {
  const columns = shownLanes.map((lane) => model.nodes[node]?.byLane[lane]);
  const indexes: number[] = [];
  for (const column of columns)
    for (let at = 0; column && at < column.length && column.at(at) <= upTo; at += 1) indexes.push(column.at(at));
  return indexes.sort((a, b) => a - b);
}
