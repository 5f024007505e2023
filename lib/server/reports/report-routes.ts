import { z } from 'zod';
import { hookEventSchema, type SettledEvent } from '../../events/hook-event.ts';
import { defineRoute, type Route, type RouteGroup, routeGroup } from '../http/route.ts';
import { problem } from '../runs/run-schemas.ts';
import { checkSignature } from './check-signature.ts';
import type { ReportedRuns } from './reported-runs.ts';

/** Dependencies of `reportRoutes`. */
export interface ReportDeps {
  readonly runs: Pick<ReportedRuns, 'report'>;
  /** The secret of the hook `webhook`. Without it, a token is sufficient. */
  readonly secret: string | undefined;
}

/** A batch of the hook `webhook`. */
const reportSchema = z.strictObject({
  version: z.literal(1),
  hook: z.string(),
  lost: z.int().nonnegative().describe('Events that the sender has lost so far.'),
  events: z
    .array(
      hookEventSchema.superRefine(({ seq, time }: { seq?: number; time?: number }, context) => {
        if (seq === undefined || time === undefined)
          context.addIssue({ code: 'custom', message: 'must have seq and time: only settled events are reported' });
      }),
    )
    .max(10_000),
});

const outcomeSchema = z.strictObject({
  accepted: z.int(),
  repeated: z.int().describe('Events that were reported before.'),
  ignored: z.int().describe('Events of runs whose preCall was not reported.'),
});

const routes: readonly Route<ReportDeps>[] = [
  defineRoute({
    method: 'POST',
    path: '/api/reports',
    right: 'run',
    summary: 'Takes events of runs of another process, from its hook `webhook`.',
    description:
      'The runs belong to the user of the token, whatever user the events name. They are shown like other runs. They cannot be cancelled here, and their approvals are answered in their process. A batch may be sent again: known events are not repeated. Nothing of an invalid batch is taken. A run that reports nothing for 15 minutes counts as failed.',
    body: reportSchema,
    maxBytes: 16 * 2 ** 20,
    headers: {
      'webhook-signature': 'Required if the server has `server.reports.secret`, with webhook-id and webhook-timestamp.',
    },
    responses: {
      200: { description: 'The batch was taken.', schema: outcomeSchema },
      401: problem('The signature is missing, wrong or older than five minutes.'),
    },
    handle({ c, caller, body, text }, { runs, secret }: ReportDeps) {
      if (secret !== undefined) checkSignature(c.req.raw, text, secret);
      return c.json(runs.report(caller.user, body.events as readonly SettledEvent[]));
    },
  }),
];

/** Routes for runs of other processes. */
export function reportRoutes(deps: ReportDeps): RouteGroup {
  return routeGroup(routes, deps);
}
