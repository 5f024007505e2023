import { join, resolve } from 'node:path';
import { isChunk } from '../../events/chunk-text.ts';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { type HookHost, requirePart } from '../hook-host.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { createRunTrees } from '../run-trees.ts';
import { createCleanEvents } from '../text/clean-events.ts';
import { usualRedactor } from '../usual-redactor.ts';
import { switchesOff, weakensUnless } from '../weakens-unless.ts';
import { type RecorderOptions, recorderOptionsSchema } from './recorder-options.ts';
import { createRecording, type Recording } from './recording.ts';
import { recordingFiles } from './recording-files.ts';

/**
 * Records runs: every settled event, and what every hook did to it, as JSON Lines, a file for each run. An event is in the file when `observe`
 * returns, so that a crash loses at most the last line. `recordedRun(file)` of `hookline/testing` plays a recording.
 *
 * Calls at once: their events stand as they settled. Sub-agents: they are in the recording of the run that they work for. Retry: each try has
 * its events. Suspend and resume: a resumed run is a run, with a recording of its own, which names the one that it resumes. What cannot be
 * written is counted in the recording and said in the log; the run goes on.
 */
export function runRecorder(options: RecorderOptions = {}, host: HookHost = {}): Hook {
  const { name, folder, keep, maxBytes, chunks, trace, redact } = parseHookOptions(
    'recorder',
    recorderOptionsSchema,
    options,
  );
  const place = resolve(folder ?? join(requirePart(host, 'stateFolder', name), 'recordings'));
  const live = new Set<string>();
  const open = recordingFiles(place, keep, (path) => live.has(path));
  const redactor = redact === true ? usualRedactor() : redact || undefined;
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

  const trees = createRunTrees<Recording | undefined>((context) =>
    attempt(context, () => {
      const file = open(context.scheduler.now(), context.run.runId);
      live.add(file.path);
      const clean = createCleanEvents(redactor);
      return createRecording(file, context.run, { maxBytes, redacted: redactor !== undefined, clean });
    }),
  );

  return defineHook({
    name,
    description: 'Records runs as JSON Lines.',
    priority: HookPriority.LOGGING,
    traced: trace && { values: (text) => (redactor ? redactor.redact(text).text : text) },
    observe: function runRecorder(event, context, steps = []) {
      if (context.dryRun || (!chunks && isChunk(event))) return;
      const recording = trees.of(context);
      if (event.type === 'preCall') trees.begin(context);
      if (recording) attempt(context, () => recording.write(event, steps));
      if (event.type !== 'postCall') return;
      const ended = trees.end(event.run);
      if (ended) live.delete(ended.path);
    },
  });
}

/** The catalogue entry of `runRecorder`. */
export const recorderEntry = defineCatalogueEntry({
  name: 'recorder',
  description: 'Records runs as JSON Lines, a file for each run.',
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
  }),
  create: runRecorder,
});
