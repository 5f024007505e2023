import { firstValueFrom, from, isObservable, of } from 'rxjs';
import { z } from 'zod';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';
import { permissionSchema } from '../../events/parts/tool-description.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import type { Answer } from '../../hooks/asking/ask-function.ts';
import type { Inbox } from '../../hooks/asking/inbox.ts';
import { defineRoute, type Route, type RouteGroup, routeGroup } from '../http/route.ts';

/** Dependencies of `questionRoutes`. */
export interface QuestionDeps {
  /** The inbox of `createRuns`, which lists the calls as approvals. */
  readonly inbox: Pick<Inbox, 'ask'>;
}

/** The longest time that a question may wait, in milliseconds. */
const MOST_MS = 600_000;

const remembers = z.enum(['session', 'always']);

const questionSchema = z.strictObject({
  call: toolCallSchema.describe('The call that runs after approval.'),
  tool: z.string().min(1),
  input: jsonObjectSchema,
  permission: permissionSchema,
  prompt: z.string().min(1).max(100_000),
  by: z.string().min(1).describe('The name of the hook.'),
  run: runInfoSchema,
  remembers: z.array(remembers).exactOptional(),
  timeoutMs: z.int().positive().max(MOST_MS).describe('How long the request waits for an answer, in milliseconds.'),
});

const answerSchema = z.strictObject({
  approved: z.boolean(),
  by: z.string().exactOptional(),
  at: z.string().exactOptional(),
  reason: z.string().exactOptional(),
  input: jsonObjectSchema.exactOptional(),
  remember: remembers.exactOptional(),
});

const routes: readonly Route<QuestionDeps>[] = [
  defineRoute({
    method: 'POST',
    path: '/api/questions',
    right: 'run',
    summary: 'Asks about a call of a run in another process, such as a hook of a coding agent.',
    description:
      'The call is listed with the approvals until it is answered, its timeout has passed, or the client disconnects. The request waits for the answer. The call belongs to the user of the token, whatever user the run names. The right `run` asks, and does not answer.',
    body: questionSchema,
    maxBytes: 16 * 2 ** 20,
    responses: { 200: { description: 'The answer. Without one, the call is not approved.', schema: answerSchema } },
    async handle({ c, caller, body }, { inbox }: QuestionDeps) {
      const { call, by, timeoutMs, run, ...question } = body;
      const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(timeoutMs)]);
      const asked = inbox.ask(
        { ...question, description: '', run: { ...run, userId: caller.user }, elsewhere: true },
        { signal, call, by, timeoutMs },
      );
      const answer$ = isObservable(asked) ? asked : asked instanceof Promise ? from(asked) : of(asked);
      const nobody: Answer = { approved: false, reason: `nobody answered within ${timeoutMs / 1_000} s` };
      const answer = await firstValueFrom(answer$, { defaultValue: nobody });
      return c.json(typeof answer === 'boolean' ? { approved: answer } : answer);
    },
  }),
];

/** Routes for questions of other processes. */
export function questionRoutes(deps: QuestionDeps): RouteGroup {
  return routeGroup(routes, deps);
}
