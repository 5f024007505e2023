import { z } from 'zod';
import { recordingLineSchema } from '../../hooks/recorder/recording-format.ts';
import { refuse } from '../http/refuse.ts';
import { defineRoute, type Route, type RouteGroup, routeGroup } from '../http/route.ts';
import { problem } from '../runs/run-schemas.ts';
import type { Recordings } from './open-recordings.ts';

const listedSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    bytes: z.int(),
    agent: z.string(),
    changedAt: z.iso.datetime().describe('Time of the last change of the file.'),
  })
  .meta({ id: 'Recording' });

const contentQuerySchema = z.strictObject({
  from: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a byte position, 0 or more')
    .exactOptional()
    .describe('Position of the first byte (default: 0). It may be within a line.'),
  follow: z
    .enum(['true', 'false'])
    .exactOptional()
    .describe('`true` continues while the file grows, and ends a minute after its last change (default: `false`).'),
});

const routes: readonly Route<Recordings>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/recordings',
    right: 'read',
    summary: 'Lists the recordings of the files and directories that the server was started with.',
    responses: { 200: { description: 'The list.', schema: z.strictObject({ recordings: z.array(listedSchema) }) } },
    handle: ({ c }, recordings: Recordings) =>
      c.json({
        recordings: recordings.list().map(({ id, name, bytes, run, changedAt }) => ({
          ...{ id, name, bytes, agent: run.agent, changedAt: new Date(changedAt).toISOString() },
        })),
      }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/recordings/:id',
    right: 'read',
    summary: 'Returns a recording unchanged, as JSON Lines.',
    query: contentQuerySchema,
    responses: {
      200: {
        description: 'The header, then one line for each event or for a number of missing events ({ lost }).',
        contentType: 'application/jsonl',
        schema: recordingLineSchema,
      },
      404: problem('There is no recording with this ID.'),
    },
    handle({ c, params, query: { from = '0', follow } }, recordings: Recordings) {
      const found = recordings.find(params['id'] as string);
      if (found)
        return c.body(found.read(Number(from), follow === 'true'), 200, { 'content-type': 'application/jsonl' });
      throw refuse(
        404,
        `There is no recording with the ID ${JSON.stringify(params['id'])}. GET /api/recordings lists all.`,
      );
    },
  }),
];

/** Routes of recordings. */
export function recordingRoutes(recordings: Recordings): RouteGroup {
  return routeGroup(routes, recordings);
}
