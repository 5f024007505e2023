import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import { EVENT_FORMAT_VERSION } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { entrySchema, piecesOf } from '../../hooks/recorder/log-entry.ts';
import { RECORDING_VERSION, type RecordingHead } from '../../hooks/recorder/recording-format.ts';
import { createCleanEvents } from '../../hooks/text/clean-events.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { jsonLine } from '../../store/lines/json-line.ts';

/**
 * Returns the log of a run as lines of a recording, in the format of the hook `recorder`. An export leaves the server, so the built-in rules redact it,
 * even if no hook of the run did.
 */
export function* toRecording(entries: readonly JsonObject[]): Generator<string> {
  const run = (entries.find(({ event }) => event)?.['event'] as { run: RunInfo } | undefined)?.run;
  if (!run) return;
  const clean = createCleanEvents(usualRedactor());
  const head: RecordingHead = {
    format: 'hookline-recording',
    version: RECORDING_VERSION,
    events: EVENT_FORMAT_VERSION,
    run: clean.run(run),
    redacted: true,
  };
  yield jsonLine(head);
  for (const entry of entries) {
    if ('takenOver' in entry) continue;
    const parsed = entrySchema.safeParse(entry).data;
    if (!parsed) yield jsonLine({ lost: 1 });
    else if ('lost' in parsed) yield jsonLine({ lost: parsed.lost });
    else {
      const steps = parsed.steps && clean.steps(parsed.steps as readonly TraceStep[], run);
      // Keeps the order of fields in the log, because validation has reordered them.
      const event = entry['event'] as unknown as SettledEvent<ChunkEvent>;
      for (const piece of piecesOf(event, parsed.ends))
        yield jsonLine({ event: clean.event(piece), ...(steps && { steps }) });
    }
  }
}
