import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isChunk } from '../../events/chunk-text.ts';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, PIPELINE, type Redact } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { type HookHost, requirePart } from '../hook-host.ts';
import { packageVersion } from '../package-version.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { createRunTrees } from '../run-trees.ts';
import { redactorIn } from '../scanning/run-secrets.ts';
import { createCleanEvents } from '../text/clean-events.ts';
import { redactOption } from '../text/redact-option.ts';
import { usualRedactor } from '../usual-redactor.ts';
import { switchesOff, weakensUnless } from '../weakens-unless.ts';
import { flushInTime } from './flush-in-time.ts';
import { recordedHooks } from './hook-origin.ts';
import { rawPathOf } from './raw-format.ts';
import { captureRawInput, createRawInput, type RawInput } from './raw-input.ts';
import { createRecording, type Recording } from './recording.ts';
import { recordingFiles } from './recording-files.ts';

/** The options of `runRecorder` with their defaults. */
export const recorderOptionsSchema = z.strictObject({
  name: z.string().min(1).default('recorder').describe('Name of the hook.'),
  folder: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'Directory of the recordings, one file per run (default: "recordings" in the state directory of the host).',
    )
    .meta({ local: true }),
  keep: z.int().positive().default(100).describe('Number of recordings to keep. The oldest are deleted first.'),
  maxBytes: z
    .int()
    .positive()
    .default(50_000_000)
    .describe('Maximum size of a recording in bytes. Later events are counted, not recorded.'),
  chunks: z.boolean().default(true).describe('Records streamed chunks.'),
  trace: z.boolean().default(true).describe('Records the effect of each hook on each event.'),
  redact: redactOption(' of the recordings'),
  raw: z
    .boolean()
    .default(false)
    .describe(
      'Also records the unredacted input of the run, in a second file for an exact replay. It contains secrets.',
    )
    .meta({ local: true }),
});

/** The options of `runRecorder` before defaults; all are optional. */
export type RecorderOptions = z.input<typeof recorderOptionsSchema>;

/**
 * Records every settled event of a run, and what each hook did to it, as JSON Lines, one file for each run. Events are written once for each turn of
 * the event loop, before each tool call and at the end. So a tool that ends the process loses nothing. `recordedRun(file)` of `hookline/testing` replays a recording.
 *
 * Events that cannot be written are counted in the recording and logged. The run continues.
 *
 * - Parallel calls: Their events are in the order in which they settled.
 * - Sub-agents: Their events are in the recording of the parent run.
 * - Retry: Each attempt has its events.
 * - Suspend and resume: A resumed run has its own recording, which names the run that it resumes.
 * - Cost: One synchronous write for each turn of the event loop, and for each tool call.
 */
export function runRecorder(options: RecorderOptions = {}, host: HookHost = {}): Hook {
  const { name, folder, keep, maxBytes, chunks, trace, redact, raw } = parseHookOptions(
    'recorder',
    recorderOptionsSchema,
    options,
  );
  const place = resolve(folder ?? join(requirePart(host, 'stateFolder', name), 'recordings'));
  const live = new Set<string>();
  const open = recordingFiles(place, keep, (path) => live.has(path));
  const redactor = redact === true ? usualRedactor() : redact || undefined;
  const version = ownVersion();
  let failing = false;

  function attempt<T>(context: HookContext, work: () => T): T | undefined {
    try {
      const done = work();
      failing = false;
      return done;
    } catch (err) {
      if (!failing) context.log.error({ err, folder: place }, 'a run could not be recorded; events are missing');
      failing = true;
      return undefined;
    }
  }

  const trees = createRunTrees<RecordedTree | undefined>((context) =>
    attempt(context, () => {
      const file = open(context.scheduler.now(), context.run.runId);
      live.add(file.path);
      const clean = createCleanEvents(redactor);
      const recording = createRecording(file, context.run, {
        ...{ maxBytes, clean, redacted: redactor !== undefined, hookline: version },
        hooks: recordedHooks(hooksOf(context).filter((hook) => hook.name !== name)),
      });
      const flushRecording = () => void attempt(context, recording.flush);
      if (!raw) return { recording, flush: flushRecording };
      const second = file.second(rawPathOf(file.path));
      context.log.warn(
        { file: second.path },
        'raw input is recorded, including secrets; only the owner can read the file',
      );
      const input = createRawInput(second, maxBytes, context);
      const flush = () => {
        input.flush();
        flushRecording();
      };
      return { recording, input, flush };
    }),
  );

  return defineHook({
    name,
    description: 'Records runs as JSON Lines.',
    priority: raw ? Number.MIN_SAFE_INTEGER : HookPriority.LOGGING,
    ...(raw && {
      ...captureRawInput((context) => trees.of(context)?.input),
      aroundPriority: Number.MAX_SAFE_INTEGER,
    }),
    traced: trace && { values: valuesBy(redactor) },
    observe: function runRecorder(event, context, steps = []) {
      if (context.dryRun || (!chunks && isChunk(event))) return;
      const tree = trees.of(context);
      if (event.type === 'preCall') trees.begin(context);
      const own = raw ? steps.filter(({ hook }) => hook !== name) : steps;
      if (!tree) return;
      // Raw input comes first: a recording must not be ahead of it.
      if (raw && event.type === 'preActing') tree.input?.flush();
      attempt(context, () => tree.recording.write(event, own));
      flushInTime(tree.flush);
      if (event.type !== 'postCall') return;
      tree.input?.end(event.run.runId);
      tree.input?.flush();
      const ended = trees.end(event.run);
      if (ended) live.delete(ended.recording.path);
    },
  });
}

interface RecordedTree {
  readonly flush: () => void;
  readonly recording: Recording;
  readonly input?: RawInput;
}

/** Returns the hooks of the run. A context that the engine did not create has none. */
function hooksOf(context: HookContext): readonly Hook[] {
  return (context as { readonly [PIPELINE]?: Pipeline })[PIPELINE]?.hooks ?? [];
}

/** A bundle of an application may lack the file. */
function ownVersion(): string | undefined {
  try {
    return packageVersion();
  } catch {
    return undefined;
  }
}

/** Redacts values of the trace, including secrets found in the run. */
function valuesBy(redactor: Redactor | undefined): Redact {
  if (!redactor) return (text) => text;
  return (text, run) => (run ? redactorIn(run, redactor) : redactor).redact(text).text;
}

/** @internal The catalogue entry of `runRecorder`. */
export const recorderEntry = defineCatalogueEntry({
  name: 'recorder',
  description: 'Records runs as JSON Lines, one file per run.',
  events: eventTypes,
  approves: false,
  optionsSchema: recorderOptionsSchema,
  example: { keep: 20 },
  weakens: weakensUnless({
    keep: 'mayRise',
    maxBytes: 'mayRise',
    chunks: switchesOff,
    trace: switchesOff,
    redact: switchesOff,
    raw: (_, now) => now === true,
  }),
  create: runRecorder,
});
