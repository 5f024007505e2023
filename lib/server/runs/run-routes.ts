import { recordingLineSchema } from '../../hooks/recorder/recording-format.ts';
import { approvalRoutes } from '../approvals/approval-routes.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { defineRoute, type Route, type RouteGroup, routeGroup } from '../http/route.ts';
import { requireScope } from '../require-scope.ts';
import { screenRoutes } from '../screens/screen-routes.ts';
import { eventStreamHeaders } from '../sse/event-stream-headers.ts';
import { runPageSchema } from './run-page.ts';
import { eventsQuerySchema, pageQuerySchema, problemSchema, runEventSchema, runWishSchema } from './run-schemas.ts';
import { runViewSchema } from './run-view.ts';
import type { Runs } from './runs.ts';

const missing = { 404: { description: 'There is none, or it is not yours.', schema: problemSchema } };

const EVENTS = `Each event is \`id: <seq>\` (\`<seq>.<n>\` for the nth event of sub-agents after it), \`event: <type>\` and its JSON as \`data\`.
Last-Event-ID goes on after the event with that id; 204 says that nothing more comes. The stream ends after postCall. Neighbouring
chunks of one block, part and attempt come as one to whoever lags behind. Besides the nine events there are
\`trace\` ({ runId, seq, steps }: what each hook did to the event that comes next, where runs are traced; without an id),
\`lost\` ({ chunks } or { gates }: how many were dropped here), \`resumed\` ({ runId }: the run goes on as that one) and \`broken\`
({ outcome, reason }: it ended without postCall). A client that leaves too much untaken is disconnected, and may come back.
Of a run that goes on at another server of the same store come the events that are recorded by now; the stream ends before postCall
then, and Last-Event-ID brings what has come since.`;

const routes: readonly Route<Runs>[] = [
  defineRoute({
    method: 'POST',
    path: '/api/runs',
    right: 'run',
    summary: 'Starts a run.',
    body: runWishSchema,
    responses: {
      201: { description: 'It has begun.', schema: runViewSchema, headers: { location: 'Of the run.' } },
      409: { description: 'Its session is busy.', schema: problemSchema },
      429: { description: 'You have too many runs.', schema: problemSchema },
      503: { description: 'The server has too many runs, or is ending.', schema: problemSchema },
    },
    async handle({ c, caller, body }, runs: Runs) {
      requireScope(caller, body.scope);
      const view = await runs.start(caller.user, body);
      return c.json(view, 201, { location: `/api/runs/${encodeURIComponent(view.runId)}` });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/runs',
    right: 'read',
    summary: 'Your runs, the newest first, those that have ended included for as long as they are kept.',
    query: pageQuerySchema,
    responses: { 200: { description: 'A page of them.', schema: runPageSchema } },
    async handle({ c, caller, query: { limit, after, ...wanted } }, runs: Runs) {
      return c.json(await runs.list(caller.user, Number(limit), after, wanted));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/runs/:id',
    right: 'read',
    summary: 'One of your runs. `resumedBy` names the run that goes on after an approval.',
    responses: { 200: { description: 'The run.', schema: runViewSchema }, ...missing },
    async handle({ c, caller, params }, runs: Runs) {
      return c.json(await runs.find(caller.user, params['id'] as string));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/runs/:id/recording',
    right: 'read',
    summary: 'The events of a run as a recording: JSON Lines, as the hook recorder writes them.',
    description:
      'Nothing is redacted beyond what the hooks of the run have done. Of a run that goes on come the events that are recorded by now.',
    responses: {
      200: {
        description: 'The head, then a line for each event, or for some that are missing ({ lost }).',
        contentType: 'application/jsonl',
        schema: recordingLineSchema,
      },
      ...missing,
    },
    async handle({ c, caller, params }, runs: Runs) {
      const recording = await runs.recording(caller.user, params['id'] as string);
      const headers = {
        'content-type': 'application/jsonl',
        'content-disposition': 'attachment; filename="run.jsonl"',
      };
      return c.body(recording, 200, headers);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/runs/:id/cancel',
    right: 'run',
    summary: 'Cancels a run, or gives up a suspended one. Of a run that has ended nothing changes.',
    responses: {
      200: { description: 'The run as it has ended.', schema: runViewSchema },
      ...missing,
      409: { description: 'It is being resumed.', schema: problemSchema },
    },
    async handle({ c, caller, params }, runs: Runs) {
      return c.json(await runs.cancel(caller.user, params['id'] as string));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/runs/:id/interrupt',
    right: 'run',
    summary:
      'Asks a run for one last reply without tools, after which it ends. Of a run that waits or has ended nothing changes.',
    responses: { 200: { description: 'The run as it stands.', schema: runViewSchema }, ...missing },
    async handle({ c, caller, params }, runs: Runs) {
      return c.json(await runs.interrupt(caller.user, params['id'] as string));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/runs/:id/events',
    right: 'read',
    summary: 'The events of a run as server-sent events, from the first one on.',
    description: EVENTS,
    query: eventsQuerySchema,
    headers: { 'Last-Event-ID': 'The id of the last event that was taken.' },
    responses: {
      200: { description: 'The data of each event.', contentType: 'text/event-stream', schema: runEventSchema },
      204: { description: 'All has been told.' },
      400: { description: 'No event of the run has that id.', schema: problemSchema },
      ...missing,
      429: { description: 'You have too many streams.', schema: problemSchema },
      503: { description: 'There are too many streams.', schema: problemSchema },
    },
    async handle({ c, caller, params, query }, runs: Runs) {
      const lastId = c.req.header('last-event-id') ?? query.lastEventId;
      // Where somebody mounts the routes himself, the server of hono tells its response.
      const { outgoing, hangUp = outgoing && (() => void outgoing.destroy()) } = (c.env ?? {}) as Pick<
        RequestInfo,
        'hangUp'
      > & { readonly outgoing?: { destroy(): unknown } };
      const runId = params['id'] as string;
      // A stream that nobody reads would never end.
      if (c.req.raw.method === 'HEAD') {
        await runs.find(caller.user, runId);
        return c.body(null, 200, eventStreamHeaders);
      }
      const stream = await runs.events(caller.user, runId, lastId, hangUp);
      return stream ? c.body(stream, 200, eventStreamHeaders) : c.body(null, 204);
    },
  }),
];

/** The routes of runs and approvals. */
export function runRoutes(runs: Runs): RouteGroup {
  return routeGroup([...routes, ...approvalRoutes, ...screenRoutes], runs);
}
