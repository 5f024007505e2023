import { z } from 'zod';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { problemSchema } from '../runs/run-schemas.ts';
import type { Runs } from '../runs/runs.ts';
import { answerBodySchema } from './answer-body.ts';
import { answererOf } from './answerer-of.ts';
import { approvalSchema } from './approval.ts';
import { givenAnswerSchema } from './suspended-run.ts';

const answeredSchema = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('recorded'), runId: z.string(), waiting: z.int().positive() }),
  z.strictObject({ status: z.literal('resumed'), runId: z.string(), resumedBy: z.string() }),
  z.strictObject({ status: z.literal('continued'), runId: z.string() }),
]);

/** What is told of who was first: not the input, which the loser may not even have seen. */
const winnerSchema = givenAnswerSchema
  .pick({ action: true, by: true, expired: true, at: true, reason: true })
  .meta({ id: 'Winner' });

const conflictSchema = problemSchema.extend({
  winner: winnerSchema.exactOptional(),
  current: approvalSchema.exactOptional(),
});

export const approvalRoutes: readonly Route<Runs>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/approvals',
    right: 'approve',
    summary: 'The calls that wait for your answer, the newest first: of suspended runs, and of runs that wait inside.',
    description: 'Those of your own runs, and of the users whose approvals your token is for.',
    responses: { 200: { description: 'All of them.', schema: z.strictObject({ approvals: z.array(approvalSchema) }) } },
    async handle({ c, caller }, runs: Runs) {
      return c.json({ approvals: await runs.approvals(answererOf(c, caller)) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/approvals/:id',
    right: 'approve',
    summary: 'A call that waits for an answer, with the events of its run that tell how it came about.',
    responses: {
      200: { description: 'The call.', schema: approvalSchema.extend({ events: z.array(jsonObjectSchema) }) },
      404: { description: 'There is none that waits, or it is not yours.', schema: problemSchema },
    },
    async handle({ c, caller, params }, runs: Runs) {
      return c.json(await runs.approval(answererOf(c, caller), params['id'] as string));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/approvals/:id',
    right: 'approve',
    summary: 'Answers for a call. When the last call of a run is answered, the run goes on as a new one.',
    body: answerBodySchema,
    responses: {
      200: {
        description:
          '`recorded`: other calls still wait. `resumed`: the run goes on as `resumedBy`. `continued`: it goes on itself.',
        schema: answeredSchema,
      },
      404: { description: 'There is none, or it is not yours.', schema: problemSchema },
      422: { description: 'The edited input does not fit the tool; the call still waits.', schema: problemSchema },
      409: {
        description:
          'Somebody was faster (`winner`), the call is another one (`current`), or the run cannot be resumed; its calls wait again then.',
        schema: conflictSchema,
      },
      503: { description: 'The server is ending, or has too many runs.', schema: problemSchema },
    },
    async handle({ c, caller, params, body }, runs: Runs) {
      const outcome = await runs.answer(answererOf(c, caller), params['id'] as string, body);
      if (outcome.status === 'answered') {
        const winner = winnerOf(outcome.winner);
        return c.json(
          { ...conflict(`It was answered already: ${winner.action} by "${winner.by}" at ${winner.at}.`), winner },
          409,
        );
      }
      if (outcome.status === 'changed') {
        const what =
          'The hash is that of another call. `current` is the one that waits; look at it, and answer with its hash.';
        return c.json({ ...conflict(what), current: outcome.current }, 409);
      }
      return c.json(outcome);
    },
  }),
];

function conflict(message: string) {
  return { error: { code: 'HTTP_409', message } };
}

function winnerOf({ action, by, expired, at, reason }: z.infer<typeof winnerSchema>) {
  return { action, by, ...(expired && { expired }), at, ...(reason !== undefined && { reason }) };
}
