import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { isChunk } from '../../events/chunk-text.ts';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { traceStepSchema } from '../../hooks/recorder/recording-format.ts';
import type { TraceReport } from '../../pipeline/trace/tracer.ts';
import type { Replay } from '../../replay/replay.ts';
import { refuse } from '../http/refuse.ts';
import { defineRoute, type Route, type RouteGroup, routeGroup } from '../http/route.ts';
import { problem } from '../runs/run-schemas.ts';
import type { OpenRecording, Recordings } from './open-recordings.ts';

/** Replays recordings with the hooks of a policy. */
export interface ReplayDeps {
  readonly recordings: Recordings;
  /** Replays a recording. Called again only if it failed or the file has changed. */
  replay(recording: OpenRecording): Promise<Replay>;
}

/** Maximum size of a recording that is replayed, in bytes: both runs are in memory. */
const MOST_BYTES = 20_000_000;
/** Number of replays that are kept. */
const KEPT = 8;

const reportsSchema = z.array(
  z.strictObject({ event: z.looseObject({ type: z.string() }), steps: z.array(traceStepSchema) }),
);

const replaySchema = z
  .strictObject({
    recordedBy: z.string().exactOptional().describe('Version of the package that made the recording.'),
    hooks: z
      .array(z.strictObject({ name: z.string(), change: z.string() }))
      .describe('Hooks that differ from those of the recording.'),
    runs: z
      .array(
        z.strictObject({
          run: runInfoSchema,
          recorded: reportsSchema,
          replayed: reportsSchema,
          differences: z.array(z.looseObject({ seq: z.int(), type: z.string(), path: z.string() })),
          missing: z.string().exactOptional().describe('What the replay needs and the recording does not contain.'),
          unknown: z.int().describe('Effects of hooks outside that could not be repeated.'),
          exact: z.boolean().describe('Whether the recording contains all that the run received.'),
        }),
      )
      .describe('The run and its sub-agents. Without the events of chunks: their text is part of the differences.'),
  })
  .meta({ id: 'Replay' });

/** Creates the routes of replays beside their recordings. Replays run one after another. */
export function replayRoutes({ recordings, replay }: ReplayDeps): RouteGroup {
  const kept = new Map<string, { readonly state: string; readonly shown: Promise<object> }>();
  let last: Promise<unknown> = Promise.resolve();

  function shownReplay(recording: OpenRecording): Promise<object> {
    const { id, bytes, changedAt } = recording;
    const state = `${bytes} ${changedAt}`;
    const known = kept.get(id);
    if (known?.state === state) return known.shown;
    const shown = last.then(async () => shownOf(await replay(recording)));
    // The next request may succeed: the policy and its files may have changed.
    last = shown.catch(() => {
      if (kept.get(id)?.shown === shown) kept.delete(id);
    });
    kept.delete(id);
    kept.set(id, { state, shown });
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return shown;
  }

  return routeGroup(routes, { find: recordings.find, shownReplay });
}

interface Deps {
  find(id: string): OpenRecording | undefined;
  shownReplay(recording: OpenRecording): Promise<object>;
}

const routes: readonly Route<Deps>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/recordings/:id/replay',
    right: 'read',
    summary: 'Replays a recording with the hooks of a policy, and returns both runs with their differences.',
    responses: {
      200: { description: 'The replay beside its recording.', schema: replaySchema },
      404: problem('There is no recording with this ID.'),
      413: problem('The recording is too large.'),
      422: problem('The recording cannot be replayed.'),
    },
    async handle({ c, params }, { find, shownReplay }: Deps) {
      const recording = find(params['id'] as string);
      if (!recording) throw refuse(404, `There is no recording with the ID ${JSON.stringify(params['id'])}.`);
      const { name, bytes } = recording;
      if (bytes > MOST_BYTES) {
        const size = `${Math.ceil(bytes / 1_000_000)} MB; the web UI replays at most ${MOST_BYTES / 1_000_000} MB`;
        throw refuse(413, `${name} has ${size}. Use hookline replay on the command line.`);
      }
      try {
        return c.json(await shownReplay(recording));
      } catch (thrown) {
        if (thrown instanceof HooklineError && thrown.code === 'INPUT_INVALID') throw refuse(422, thrown.message);
        throw thrown;
      }
    },
  }),
];

/** Chunks are compared by the text of their block, which the difference contains. */
function shownOf({ recordedBy, hooks, runs }: Replay): object {
  const without = (reports: readonly TraceReport[]) =>
    reports.flatMap(({ event, steps }) => (isChunk(event) ? [] : [{ event, steps }]));
  return {
    ...(recordedBy !== undefined && { recordedBy }),
    hooks: hooks.map(({ name, change }) => ({ name, change })),
    runs: runs.map(({ run, recorded, replayed, differences, missing, unknown, exact }) => ({
      ...{ run, recorded: without(recorded), replayed: without(replayed), differences, unknown, exact },
      ...(missing !== undefined && { missing }),
    })),
  };
}
