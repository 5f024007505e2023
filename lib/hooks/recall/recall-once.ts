import { catchError, defer, map, type Observable, of } from 'rxjs';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { Message } from '../../events/parts/message.ts';
import { isPrompt, textOf, userMessage } from '../../events/parts/messages.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { defineState } from '../../pipeline/define/state.ts';

/** The stored result for a user message: a text for the model, possibly empty, and its data. */
export interface Recalled {
  readonly text: string;
  readonly data: JsonObject;
  /** The origins of the text that are paths or addresses. */
  readonly places: readonly string[];
}

/** A result. `withheld` are the places of texts that the model may not read. */
export interface Finding extends Recalled {
  readonly withheld: readonly string[];
}

/** Finds a text for a user message. `messages` are those of the next request. */
export type FindFor = (question: string, event: PreReasoning, context: HookContext) => Observable<Finding>;

/** Recalled texts for the model. */
export interface Recall {
  /** Returns the request with each text inserted before its user message. */
  readonly preReasoning: (event: PreReasoning, context: HookContext) => Observable<PreReasoning> | undefined;
  /** Returns the recalled texts of this run. */
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
 * Searches once for each user message. Each request of the run contains the result, and the transcript never does. Messages that hooks inject are not
 * user messages. A failure is logged and noted, and the run continues; withheld texts are reported in the same way.
 */
export function recallOnce(name: string, find: FindFor): Recall {
  const key = defineState({ name: `${name}.recalled`, schema: keptSchema, initial: [] });

  function logWithheld(event: PreReasoning, withheld: readonly string[], { log }: HookContext): PreReasoning {
    const code = `${name}-withheld`;
    const message = `Rules do not allow the model to read ${listed(withheld)}, which was omitted.`;
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
      const inject = () => {
        // A resumed run may have other rules.
        const open = cell.get().filter(({ places }) => places.every((place) => context.mayRead(place)));
        const messages = withPassages(name, event.messages, open);
        return messages.length === event.messages.length ? event : modify(event, { messages });
      };
      if (cell.get().some((one) => one.question === question)) return of(inject());
      const keep = (found: Recalled) => cell.update((known) => [...known, { question, ...found }]);
      return defer(() => find(question, event, context)).pipe(
        map(({ withheld, ...found }) => {
          keep(found);
          return withheld.length === 0 ? inject() : logWithheld(inject(), withheld, context);
        }),
        catchError((thrown: unknown) => {
          keep(nothing);
          const message = `The lookup failed, and the run continues without its result: ${messageOf(thrown)}`;
          context.log.warn({ err: thrown, code: `${name}-failed` }, message);
          return of(modify(inject(), {}, { note: { code: `${name}-failed`, message } }));
        }),
      );
    },
  };
}

/** The maximum number of places in a message. */
const NAMED = 5;

function listed(places: readonly string[]): string {
  const more = places.length > NAMED ? ` and ${places.length - NAMED} more` : '';
  return `${places.slice(0, NAMED).join(', ')}${more}`;
}

function lastQuestion(messages: readonly Message[]): string | undefined {
  const message = messages.findLast((one) => isPrompt(one) && textOf(one).trim() !== '');
  return message && textOf(message);
}

function withPassages(
  origin: string,
  messages: readonly Message[],
  found: readonly (Recalled & { readonly question: string })[],
): readonly Message[] {
  const all = [...messages];
  for (const { question, text } of found) {
    if (text === '') continue;
    const at = all.findLastIndex((message) => isPrompt(message) && textOf(message) === question);
    // The text is omitted with its message.
    if (at >= 0) all.splice(at, 0, { ...userMessage(text), origin });
  }
  return all;
}
