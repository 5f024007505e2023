import { recordingLineSchema } from '../../hooks/recorder/recording-format.ts';
import { approvalRoutes } from '../approvals/approval-routes.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { defineRoute, type Route, type RouteGroup, routeGroup } from '../http/route.ts';
import { screenRoutes } from '../screens/screen-routes.ts';
import { type Caller, readsAll } from '../security/caller.ts';
import { requireScope } from '../security/require-scope.ts';
import { eventStreamHeaders } from '../sse/event-stream-headers.ts';
import {
  eventsQuerySchema,
  pageQuerySchema,
  problem,
  runEventSchema,
  startRequestSchema,
  streamLimits,
} from './run-schemas.ts';
import { type RunControl, runViewSchema } from './run-view.ts';
import type { Runs } from './runs.ts';
import { placeIn, runPageSchema } from './view/run-page.ts';

const missing = { 404: problem('It does not exist, or it is not yours.') };

const held = {
  done: 'The active run, with `paused` while it is paused.',
  conflict: 'The run is not active, its loop cannot be paused, or its server has ended or does not respond.',
};

const EVENTS = `Each event is \`id: <seq>\` (\`<seq>.<n>\` for the nth event of sub-agents after it), \`event: <type>\` and its JSON as \`data\`.
Last-Event-ID resumes after the event with that ID. 204 means that no more events follow. The stream ends after postCall. A slow
client receives adjacent chunks of one block, part and attempt as one chunk. Besides the nine events, the stream contains
\`trace\` ({ runId, seq, steps }: what each hook did to the event that comes next, where runs are traced; without an id),
\`lost\` ({ chunks } or { gates }: how many were dropped here), \`resumed\` ({ runId }: the run goes on as that one) and \`broken\`
({ outcome, reason }: the run ended without postCall). A client that reads too slowly is disconnected and may reconnect.
For a run that is active on another server of the same store, the stream contains the recorded events and ends before
postCall. Request later events with Last-Event-ID.`;

const routes: readonly Route<Runs>[] = [
  defineRoute({
    method: 'POST',
    path: '/api/runs',
    right: 'run',
    summary: 'Starts a run.',
    body: startRequestSchema,
    responses: {
      201: { description: 'The run has started.', schema: runViewSchema, headers: { location: 'URL of the run.' } },
      409: problem('The session is busy.'),
      429: problem('You have too many active runs.'),
      503: problem('The server has too many active runs, or is shutting down.'),
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
    summary: 'Lists your runs, newest first. Ended runs are listed as long as they are kept.',
    description:
      'Runs that resumed each other are one: the last of them, with the title, start and sums of all. `parts` has their IDs. With the right "runs:read", lists the runs of all users.',
    query: pageQuerySchema,
    responses: {
      200: { description: 'A page of runs.', schema: runPageSchema },
      400: problem('The filter or `after` is invalid.'),
    },
    async handle({ c, caller, query: { limit, after, ...wanted } }, runs: Runs) {
      const user = readsAll(caller) ? undefined : caller.user;
      return c.json(await runs.list(user, Number(limit), placeIn(after), wanted));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/runs/:id',
    right: 'read',
    summary: 'Returns one of your runs. `resumedBy` is the run that continues after an approval.',
    description: 'With the right "runs:read", returns runs of all users, also their events and recordings.',
    responses: { 200: { description: 'The run.', schema: runViewSchema }, ...missing },
    async handle({ c, caller, params }, runs: Runs) {
      return c.json(await runs.find(await ownerFor(caller, runs, params['id'] as string), params['id'] as string));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/runs/:id/recording',
    right: 'read',
    summary: 'Exports the events of a run as a recording: JSON Lines, as the recorder hook writes them.',
    description:
      'The built-in rules redact the export, in addition to the hooks of the run. For an active run, it contains the events so far.',
    responses: {
      200: {
        description: 'The header, then one line for each event or for a number of missing events ({ lost }).',
        contentType: 'application/jsonl',
        schema: recordingLineSchema,
      },
      ...missing,
    },
    async handle({ c, caller, params }, runs: Runs) {
      const recording = await runs.recording(
        await ownerFor(caller, runs, params['id'] as string),
        params['id'] as string,
      );
      const headers = {
        'content-type': 'application/jsonl',
        'content-disposition': 'attachment; filename="run.jsonl"',
      };
      return c.body(recording, 200, headers);
    },
  }),
  controlRoute('cancel', {
    summary: 'Cancels an active or a suspended run. It does not change an ended run.',
    description: 'It also ends a run whose server has ended, so that no other server continues it.',
    done: 'The ended run.',
    conflict: 'The run is being resumed, another server continues it, or its server does not respond.',
  }),
  controlRoute('interrupt', {
    summary: 'Makes a run end with one last reply without tools. It does not change a suspended or an ended run.',
    done: 'The current state of the run.',
    conflict: 'Its loop accepts no interrupt, or its server has ended or does not respond.',
  }),
  controlRoute('pause', {
    summary: 'Pauses an active run. It holds before its next model request and its next tool call.',
    ...held,
  }),
  controlRoute('continue', {
    summary: 'Lets a paused run continue. It does not change another active run.',
    ...held,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/runs/:id/events',
    right: 'read',
    summary: 'Streams the events of a run as server-sent events, from the first one.',
    description: EVENTS,
    query: eventsQuerySchema,
    headers: { 'Last-Event-ID': 'ID of the last event that you received.' },
    responses: {
      200: { description: 'The data of each event.', contentType: 'text/event-stream', schema: runEventSchema },
      204: { description: 'There are no more events.' },
      400: problem('The run has no event with this ID.'),
      ...missing,
      ...streamLimits,
    },
    async handle({ c, caller, params, query }, runs: Runs) {
      const lastId = c.req.header('last-event-id') ?? query.lastEventId;
      // If the routes are mounted in another app, the Node server of Hono provides `outgoing`.
      const { outgoing, hangUp = outgoing && (() => void outgoing.destroy()) } = (c.env ?? {}) as Pick<
        RequestInfo,
        'hangUp'
      > & { readonly outgoing?: { destroy(): unknown } };
      const runId = params['id'] as string;
      const owner = await ownerFor(caller, runs, runId);
      // A stream without a reader would never end.
      if (c.req.raw.method === 'HEAD') {
        await runs.find(owner, runId);
        return c.body(null, 200, eventStreamHeaders);
      }
      const stream = await runs.events(owner, runId, lastId, hangUp, caller.user);
      return stream ? c.body(stream, 200, eventStreamHeaders) : c.body(null, 204);
    },
  }),
];

interface ControlTexts {
  readonly summary: string;
  readonly description?: string;
  readonly done: string;
  readonly conflict: string;
}

function controlRoute(control: RunControl, { done, conflict, ...texts }: ControlTexts): Route<Runs> {
  return defineRoute({
    method: 'POST',
    path: `/api/runs/:id/${control}`,
    right: 'run',
    ...texts,
    responses: { 200: { description: done, schema: runViewSchema }, ...missing, 409: problem(conflict) },
    async handle({ c, caller, params }, runs: Runs) {
      return c.json(await runs[control](caller.user, params['id'] as string));
    },
  });
}

/** The user whose run the caller may read. */
async function ownerFor(caller: Caller, runs: Runs, runId: string): Promise<string> {
  return (readsAll(caller) ? await runs.ownerOf(runId) : undefined) ?? caller.user;
}

/** Routes of runs and approvals, for `extra` of `createServer`. */
export function runRoutes(runs: Runs): RouteGroup {
  return routeGroup([...routes, ...approvalRoutes, ...screenRoutes], runs);
}
