import { z } from 'zod';
import { messageSchema } from '../../events/parts/message.ts';
import { answererOf } from '../approvals/answerer-of.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { problem, streamLimits } from '../runs/run-schemas.ts';
import type { Runs } from '../runs/runs.ts';
import { type Caller, demand, readsAll, rights } from '../security/caller.ts';
import { eventStreamHeaders } from '../sse/event-stream-headers.ts';
import { activitySchema } from './activity.ts';
import { hookStatisticsSchema } from './hook-statistics.ts';
import { sessionSchema } from './sessions.ts';

const meSchema = z.strictObject({
  user: z.string(),
  rights: z.array(z.enum(rights)),
  scopes: z.array(z.string()),
  /** Other users whose approvals the caller may read and answer; `*` is all. */
  approvesFor: z.union([z.literal('*'), z.array(z.string())]).exactOptional(),
  /** Name of the token, or its id if it has no name. */
  token: z.string().exactOptional(),
  /** Whether this server starts runs (POST /api/runs). */
  starts: z.boolean(),
});

const sessionQuerySchema = z.strictObject({
  user: z
    .string()
    .min(1)
    .exactOptional()
    .describe('User of the session (default: you). Another user needs the right "runs:read".'),
});

const statisticsQuerySchema = z.strictObject({
  days: z
    .string()
    .regex(/^(?:[1-9]|[12]\d|30)$/, 'must be a whole number from 1 to 30')
    .exactOptional()
    .describe(
      'The last days (UTC), today included, of all servers of the store (default: since the start of this server).',
    ),
});

/** Routes of the inspector, in addition to those of runs and approvals. */
export const screenRoutes: readonly Route<Runs>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/me',
    right: 'any',
    summary: 'Returns your user and the rights of your token.',
    responses: { 200: { description: 'You.', schema: meSchema } },
    handle: ({ c, caller }, runs: Runs) => c.json({ ...meOf(caller), starts: runs.startsRuns }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/activity',
    right: 'read',
    summary: 'Streams the changes of your runs, and of the approvals that you can answer, as server-sent events.',
    description:
      'Sends a `run` for each active or suspended run and an `approval` for each pending call, then `ready`, then `run`, `approval` and `answered` as they happen at this server. Changes at another server of the same store are not sent; see GET /api/runs and GET /api/approvals. Approvals need the right "approve". With the right "runs:read", the stream contains the runs of all users. A client that reads nothing is disconnected and may reconnect.',
    responses: {
      200: { description: 'The data of each event.', contentType: 'text/event-stream', schema: activitySchema },
      ...streamLimits,
    },
    handle({ c, caller }, runs: Runs) {
      // A stream without a reader would never end.
      if (c.req.raw.method === 'HEAD') return c.body(null, 200, eventStreamHeaders);
      const approves = caller.rights.includes('approve');
      const seen = { approves, all: readsAll(caller) };
      return c.body(runs.activity(answererOf(c, caller), seen), 200, eventStreamHeaders);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/statistics',
    right: 'read',
    summary:
      'Returns for each hook how often it ran, changed, decided and failed since the server started, and its durations.',
    description: 'Covers the traced runs of all users. A hook that has not run is not listed.',
    query: statisticsQuerySchema,
    responses: { 200: { description: 'The statistics.', schema: hookStatisticsSchema } },
    handle: async ({ c, query: { days } }, runs: Runs) =>
      c.json(await runs.hookStatistics(days === undefined ? undefined : Number(days))),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/sessions',
    right: 'read',
    summary: 'Lists your sessions with kept runs, last used first.',
    description: 'With the right "runs:read", lists the sessions of all users.',
    responses: { 200: { description: 'The list.', schema: z.strictObject({ sessions: z.array(sessionSchema) }) } },
    async handle({ c, caller }, runs: Runs) {
      return c.json({ sessions: await runs.sessions(readsAll(caller) ? undefined : caller.user) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/sessions/:id',
    right: 'read',
    summary: 'Returns the transcript of one of your sessions, oldest message first.',
    query: sessionQuerySchema,
    responses: {
      200: {
        description: 'The messages.',
        schema: z.strictObject({ sessionId: z.string(), messages: z.array(messageSchema) }),
      },
      404: problem('It does not exist, or it is not yours.'),
    },
    async handle({ c, caller, params, query: { user = caller.user } }, runs: Runs) {
      const sessionId = params['id'] as string;
      if (user !== caller.user) demand(caller, 'runs:read');
      return c.json({ sessionId, messages: await runs.transcript(user, sessionId) });
    },
  }),
];

function meOf({ user, rights, scopes, approvesFor, token }: Caller): Omit<z.infer<typeof meSchema>, 'starts'> {
  return {
    user,
    rights: [...rights],
    scopes: [...scopes],
    ...(approvesFor && { approvesFor: approvesFor === '*' ? ('*' as const) : [...approvesFor] }),
    ...(token !== undefined && { token }),
  };
}
