import { z } from 'zod';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { problem, problemSchema } from '../runs/run-schemas.ts';
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

/** The first answer in responses. It excludes the input, which the second caller may not have seen. */
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
    summary: 'Lists the pending calls that you can answer, newest first, of suspended and active runs.',
    description: 'Includes your runs, and the runs of users whose approvals your token may answer.',
    responses: { 200: { description: 'The list.', schema: z.strictObject({ approvals: z.array(approvalSchema) }) } },
    async handle({ c, caller }, runs: Runs) {
      return c.json({ approvals: await runs.approvals(answererOf(c, caller)) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/approvals/:id',
    right: 'approve',
    summary: 'Returns a pending call with the last steps of its run.',
    description:
      'Steps are events as they are stored, redacted: the prompt, answers, calls, results and errors, at most 50. Excludes chunks and model requests.',
    responses: {
      200: { description: 'The call.', schema: approvalSchema.extend({ events: z.array(jsonObjectSchema) }) },
      404: problem('There is no such pending call, or it is not yours.'),
    },
    async handle({ c, caller, params }, runs: Runs) {
      return c.json(await runs.approval(answererOf(c, caller), params['id'] as string));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/approvals/:id',
    right: 'approve',
    summary: 'Answers a pending call. The last answer of a suspended run resumes it as a new run.',
    body: answerBodySchema,
    responses: {
      200: {
        description:
          '`recorded`: other calls of the run are pending. `resumed`: the run continues as `resumedBy`. `continued`: the same run continues.',
        schema: answeredSchema,
      },
      404: problem('It does not exist, or it is not yours.'),
      422: problem('The edited input does not match the schema of the tool. The call is still pending.'),
      409: {
        description:
          'Another answer came first (`winner`), the call has changed (`current`), or the run cannot be resumed and its calls are pending again.',
        schema: conflictSchema,
      },
      503: problem('The server is shutting down or has too many runs.'),
    },
    async handle({ c, caller, params, body }, runs: Runs) {
      const outcome = await runs.answer(answererOf(c, caller), params['id'] as string, body);
      if (outcome.status === 'answered') {
        const winner = winnerOf(outcome.winner);
        return c.json(
          { ...conflict(`The call was already answered: ${winner.action} by "${winner.by}" at ${winner.at}.`), winner },
          409,
        );
      }
      if (outcome.status === 'changed') {
        const what = 'The call has changed since it was shown. Review `current`, and answer with its hash.';
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
