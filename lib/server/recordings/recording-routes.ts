import { z } from 'zod';
import { recordingLineSchema } from '../../hooks/recorder/recording-format.ts';
import { refuse } from '../http/refuse.ts';
import { defineRoute, type Route, type RouteGroup, routeGroup } from '../http/route.ts';
import { problemSchema } from '../runs/run-schemas.ts';
import type { OpenRecording } from './open-recordings.ts';

type Recordings = readonly OpenRecording[];

const listedSchema = z.strictObject({ id: z.string(), name: z.string(), bytes: z.int() }).meta({ id: 'Recording' });

const routes: readonly Route<Recordings>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/recordings',
    right: 'read',
    summary: 'Lists the recordings that the server was started with.',
    responses: { 200: { description: 'The list.', schema: z.strictObject({ recordings: z.array(listedSchema) }) } },
    handle: ({ c }, recordings: Recordings) =>
      c.json({ recordings: recordings.map(({ id, name, bytes }) => ({ id, name, bytes })) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/recordings/:id',
    right: 'read',
    summary: 'Returns a recording unchanged, as JSON Lines.',
    responses: {
      200: {
        description: 'The header, then one line for each event or for a number of missing events ({ lost }).',
        contentType: 'application/jsonl',
        schema: recordingLineSchema,
      },
      404: { description: 'There is no recording with this ID.', schema: problemSchema },
    },
    handle({ c, params }, recordings: Recordings) {
      const found = recordings.find(({ id }) => id === params['id']);
      if (found) return c.body(found.read(), 200, { 'content-type': 'application/jsonl' });
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
