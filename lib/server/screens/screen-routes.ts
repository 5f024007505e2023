import { z } from 'zod';
import { messageSchema } from '../../events/parts/message.ts';
import { answererOf } from '../approvals/answerer-of.ts';
import { type Caller, rights } from '../caller.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { problemSchema } from '../runs/run-schemas.ts';
import type { Runs } from '../runs/runs.ts';
import { eventStreamHeaders } from '../sse/event-stream-headers.ts';
import { activitySchema } from './activity.ts';
import { hookStatisticsSchema } from './hook-statistics.ts';
import { sessionSchema } from './sessions.ts';

const meSchema = z.strictObject({
  user: z.string(),
  rights: z.array(z.enum(rights)),
  scopes: z.array(z.string()),
  /** Whose approvals may be seen and answered besides the own ones; `*` is all. */
  approvesFor: z.union([z.literal('*'), z.array(z.string())]).exactOptional(),
  /** The token, by its name or id. */
  token: z.string().exactOptional(),
});

/** What a screen asks for besides single runs and approvals. */
export const screenRoutes: readonly Route<Runs>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/me',
    right: 'any',
    summary: 'Who you are, and what your token allows.',
    responses: { 200: { description: 'You.', schema: meSchema } },
    handle: ({ c, caller }, _: Runs) => c.json(meOf(caller)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/activity',
    right: 'read',
    summary: 'What happens to your runs, and to the approvals that you may answer, as server-sent events.',
    description:
      'First a `run` for each that goes on or waits and an `approval` for each call that waits, then `ready`; from then on `run`, `approval` and `answered` as they happen at this server: what happens at another one of the same store is told by none here, and stands in GET /api/runs and GET /api/approvals. Approvals come with the right "approve" only. Whoever takes nothing is disconnected, and may come back.',
    responses: {
      200: { description: 'The data of each event.', contentType: 'text/event-stream', schema: activitySchema },
      429: { description: 'You have too many streams.', schema: problemSchema },
      503: { description: 'There are too many streams.', schema: problemSchema },
    },
    handle({ c, caller }, runs: Runs) {
      // A stream that nobody reads would never end.
      if (c.req.raw.method === 'HEAD') return c.body(null, 200, eventStreamHeaders);
      const approves = caller.rights.includes('approve');
      return c.body(runs.activity(answererOf(c, caller), approves), 200, eventStreamHeaders);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/hooks/statistics',
    right: 'read',
    summary: 'How often each hook ran, changed, decided and failed since the server was started, and how long it took.',
    description: 'Of the runs of all users, where runs are traced. A hook that has not run is not there.',
    responses: { 200: { description: 'The counts.', schema: hookStatisticsSchema } },
    handle: ({ c }, runs: Runs) => c.json(runs.hookStatistics()),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/sessions',
    right: 'read',
    summary: 'Your sessions of which runs are kept, the one that was used last first.',
    responses: { 200: { description: 'All of them.', schema: z.strictObject({ sessions: z.array(sessionSchema) }) } },
    async handle({ c, caller }, runs: Runs) {
      return c.json({ sessions: await runs.sessions(caller.user) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/sessions/:id',
    right: 'read',
    summary: 'The transcript of one of your sessions, the oldest message first.',
    responses: {
      200: {
        description: 'The messages.',
        schema: z.strictObject({ sessionId: z.string(), messages: z.array(messageSchema) }),
      },
      404: { description: 'There is none, or it is not yours.', schema: problemSchema },
    },
    async handle({ c, caller, params }, runs: Runs) {
      const sessionId = params['id'] as string;
      return c.json({ sessionId, messages: await runs.transcript(caller.user, sessionId) });
    },
  }),
];

function meOf({ user, rights, scopes, approvesFor, token }: Caller): z.infer<typeof meSchema> {
  return {
    user,
    rights: [...rights],
    scopes: [...scopes],
    ...(approvesFor && { approvesFor: approvesFor === '*' ? ('*' as const) : [...approvesFor] }),
    ...(token !== undefined && { token }),
  };
}
