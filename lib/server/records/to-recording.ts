import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import { EVENT_FORMAT_VERSION } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { RECORDING_VERSION, type RecordingHead } from '../../hooks/recorder/recording-format.ts';
import { entrySchema, piecesOf } from './replay.ts';

/**
 * Returns the log of a run as lines of a recording, in the format of the hook `recorder`. The events are those that the hooks of the run emitted.
 * They are not redacted again.
 */
export function* toRecording(entries: readonly JsonObject[]): Generator<string> {
  const run = (entries.find(({ event }) => event)?.['event'] as { run: RunInfo } | undefined)?.run;
  if (!run) return;
  const head: RecordingHead = {
    format: 'hookline-recording',
    version: RECORDING_VERSION,
    events: EVENT_FORMAT_VERSION,
    run,
    redacted: false,
  };
  yield lineOf(head);
  for (const entry of entries) {
    const parsed = entrySchema.safeParse(entry).data;
    if (!parsed) yield lineOf({ lost: 1 });
    else if ('lost' in parsed) yield lineOf({ lost: parsed.lost });
    else {
      const { steps } = parsed;
      // Keeps the order of fields in the log, because validation has reordered them.
      const event = entry['event'] as unknown as SettledEvent<ChunkEvent>;
      for (const piece of piecesOf(event, parsed.ends)) yield lineOf({ event: piece, ...(steps && { steps }) });
    }
  }
}

function lineOf(line: object): string {
  return `${JSON.stringify(line)}\n`;
}
