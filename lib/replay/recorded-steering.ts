import { z } from 'zod';
import { STEERED_FIRST } from '../agent/control.ts';
import type { EventOf, SettledEvent } from '../events/hook-event.ts';
import { type Message, messageSchema } from '../events/parts/message.ts';
import { isPrompt, userMessage } from '../events/parts/messages.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';
import { keyOf } from './recorded-effects.ts';

/** Messages that a user sent to a run, and the event of the run after which they came. */
export interface RecordedSteering {
  readonly messages: readonly Message[];
  /** The key of the event. */
  readonly after: string;
}

/** A message that stopped calls, in a run that ended before it was read. */
const UNKNOWN = userMessage('The recording does not contain this message.');

/** Finds the messages of users that came during a run: new ones in a model request, before any hook. Messages of hooks have an origin. */
export class SteeringReader {
  readonly #found: RecordedSteering[] = [];
  #known: number | undefined;
  /** The last event that is not a chunk. */
  #last = '';
  /** The event before the first call that did not start because of a message. */
  #skippedAfter: string | undefined;

  /** Reads an event that is not a model request. */
  pass(event: SettledEvent): void {
    if (event.type === 'postActing' && event.outcome === 'skipped' && event.result.content.includes(STEERED_FIRST))
      this.#skippedAfter ??= this.#last;
    this.#last = keyOf(event);
  }

  /** Whether calls did not start because of a message that has not been found yet. */
  get hasStopped(): boolean {
    return this.#skippedAfter !== undefined;
  }

  /** Reads a model request. `first`: the messages of users that came before the first request. */
  ask({ messages }: EventOf<'preReasoning'>, first: () => readonly Message[]): void {
    const said = messages.filter(isPrompt);
    this.#add(this.#known === undefined ? first() : said.slice(this.#known));
    this.#known = said.length;
  }

  /** Returns what was found, with `messages` that came before the end. */
  end(messages: readonly Message[]): readonly RecordedSteering[] {
    this.#add(messages.length === 0 && this.#skippedAfter !== undefined ? [UNKNOWN] : messages);
    return this.#found;
  }

  #add(messages: readonly Message[]): void {
    if (messages.length > 0) this.#found.push({ messages, after: this.#skippedAfter ?? this.#last });
    this.#skippedAfter = undefined;
  }
}

/** Returns the messages of users that a suspended run has not read. */
export function unreadIn(reports: readonly TraceReport[]): readonly Message[] {
  const end = reports.at(-1)?.event;
  const unread = end?.type === 'postCall' && end.snapshot?.['steering'];
  const parsed = z.array(messageSchema).safeParse(unread);
  return parsed.data ?? [];
}
