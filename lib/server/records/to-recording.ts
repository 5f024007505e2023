import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import { EVENT_FORMAT_VERSION } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { RECORDING_VERSION, type RecordingHead } from '../../hooks/recorder/recording-format.ts';
import { entrySchema, piecesOf } from './replay.ts';

/**
 * The log of a run as a recording, line by line, as the hook `recorder` writes them. The events are those that the hooks of the run let out:
 * nothing further is redacted.
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
      // As it was written: what has looked at it has put its members in another order.
      const event = entry['event'] as unknown as SettledEvent<ChunkEvent>;
      for (const piece of piecesOf(event, parsed.ends)) yield lineOf({ event: piece, ...(steps && { steps }) });
    }
  }
}

function lineOf(line: object): string {
  return `${JSON.stringify(line)}\n`;
}
