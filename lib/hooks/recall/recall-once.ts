import { catchError, defer, map, type Observable, of } from 'rxjs';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { Message } from '../../events/parts/message.ts';
import { textOf, userMessage } from '../../events/parts/messages.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { defineState } from '../../pipeline/define/state.ts';

/** What is kept of what was found for a message of the user: a text for the model, empty if there is nothing, and data about it. */
export interface Recalled {
  readonly text: string;
  readonly data: JsonObject;
  /** Where the text comes from, as far as that is a path or an address. */
  readonly places: readonly string[];
}

/** What was found. `withheld` are the places of texts that the rules do not let the model read. */
export interface Finding extends Recalled {
  readonly withheld: readonly string[];
}

/** Finds something for a message of the user. `messages` is what the model is about to be asked. */
export type FindFor = (question: string, event: PreReasoning, context: HookContext) => Observable<Finding>;

/** What is told to the model beside what the user says. */
export interface Recall {
  /** The request with what was found put in front of the message that it was found for. */
  readonly preReasoning: (event: PreReasoning, context: HookContext) => Observable<PreReasoning> | undefined;
  /** What this run was told so far. */
  readonly recalled: (context: HookContext) => readonly Recalled[];
}

const nothing: Recalled = { text: '', data: {}, places: [] };
const keptSchema = z.array(
  z.strictObject({
    question: z.string(),
    text: z.string(),
    data: z.lazy(() => jsonObjectSchema),
    places: z.array(z.string()).readonly().default([]),
  }),
);

/**
 * Looks once for each message of the user, and tells the model what was found in each request of the run, never in the transcript. What
 * hooks have put into the request is no message of the user. A failure is told in the log and a note, and the run goes on; what the rules
 * withhold is told there too.
 */
export function recallOnce(name: string, find: FindFor): Recall {
  const key = defineState({ name: `${name}.recalled`, schema: keptSchema, initial: [] });

  function tellWithheld(event: PreReasoning, withheld: readonly string[], { log }: HookContext): PreReasoning {
    const code = `${name}-withheld`;
    const message = `Rules do not let the model read ${listed(withheld)}; this was left out.`;
    log.info({ code }, message);
    return modify(event, {}, { note: { code, message, data: { places: [...withheld] } } });
  }

  return {
    recalled: (context) => context.state(key).get(),
    preReasoning(event, context) {
      if (event.decision || context.dryRun) return undefined;
      const cell = context.state(key);
      const question = lastQuestion(event.messages);
      if (question === undefined) return undefined;
      const tell = () => {
        // A resumed run may be under other rules than the one that found it.
        const open = cell.get().filter(({ places }) => places.every((place) => context.mayRead(place)));
        const messages = told(name, event.messages, open);
        return messages.length === event.messages.length ? event : modify(event, { messages });
      };
      if (cell.get().some((one) => one.question === question)) return of(tell());
      const keep = (found: Recalled) => cell.update((known) => [...known, { question, ...found }]);
      return defer(() => find(question, event, context)).pipe(
        map(({ withheld, ...found }) => {
          keep(found);
          return withheld.length === 0 ? tell() : tellWithheld(tell(), withheld, context);
        }),
        catchError((thrown: unknown) => {
          keep(nothing);
          const message = `Nothing was looked up, and the run goes on without it: ${messageOf(thrown)}`;
          context.log.warn({ err: thrown, code: `${name}-failed` }, message);
          return of(modify(tell(), {}, { note: { code: `${name}-failed`, message } }));
        }),
      );
    },
  };
}

/** So many places are named. */
const NAMED = 5;

function listed(places: readonly string[]): string {
  const more = places.length > NAMED ? ` and ${places.length - NAMED} more` : '';
  return `${places.slice(0, NAMED).join(', ')}${more}`;
}

/** What the user said last. */
function lastQuestion(messages: readonly Message[]): string | undefined {
  const message = messages.findLast((one) => isOfUser(one) && textOf(one).trim() !== '');
  return message && textOf(message);
}

function isOfUser({ role, origin }: Message): boolean {
  return role === 'user' && origin === undefined;
}

function told(
  origin: string,
  messages: readonly Message[],
  found: readonly (Recalled & { readonly question: string })[],
): readonly Message[] {
  const all = [...messages];
  for (const { question, text } of found) {
    if (text === '') continue;
    const at = all.findLastIndex((message) => isOfUser(message) && textOf(message) === question);
    // A message that is not in the request any more needs nothing beside it.
    if (at >= 0) all.splice(at, 0, { ...userMessage(text), origin });
  }
  return all;
}
