import type { RecordingHead } from '../../../hooks/recorder/recording-format.ts';
import { isEvent, stepsIn } from './is-event.ts';
import type { RunModel, Same } from './run-model.ts';

/** The version that this page reads. */
const VERSION = 1;
const EVENTS = 1;
/** The maximum number of characters read from a recording: a browser tab has no memory for more. */
const MOST_CHARACTERS = 200_000_000;

/** The result of reading. */
export interface ReadEnd {
  /** The error in the file, for display; the events before it are in the model. */
  readonly error?: string;
}

interface Line {
  readonly event?: unknown;
  readonly same?: Same;
  readonly steps?: unknown;
  readonly lost?: number;
}

export interface Section {
  /** Whether it begins at the header (default: true). Otherwise, its first line may be incomplete and is skipped. */
  readonly fromStart?: boolean;
  /** Maximum number of characters (default: `MOST_CHARACTERS`). */
  readonly most?: number;
  /** Whether the recording continues after the section (default: false). */
  readonly goesOn?: boolean;
}

/** Reads a recording into a model. It awaits `pause` at intervals, so that the page can draw. It never throws because of the content of the file. */
export async function readRecording(
  chunks: AsyncIterable<string>,
  model: RunModel,
  pause: () => Promise<void> | undefined = () => undefined,
  { fromStart = true, most = MOST_CHARACTERS, goesOn = false }: Section = {},
): Promise<ReadEnd> {
  let rest = '';
  // Line 0 is the end of a line that began before the section.
  let number = fromStart ? 0 : -1;
  let characters = 0;
  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', begin)) {
      number += 1;
      const text = begin === 0 ? rest + chunk.slice(0, end) : chunk.slice(begin, end);
      const error = number > 0 ? readLine(text, number, model, fromStart) : undefined;
      if (begin === 0) rest = '';
      begin = end + 1;
      if (error) return { error };
      if (goesOn && characters + begin > most) return {};
      const paused = number % 64 === 0 ? pause() : undefined;
      if (paused) await paused;
    }
    rest += chunk.slice(begin);
    characters += chunk.length;
    if (rest.length > LONGEST_LINE)
      return { error: `Line ${number + 1} is longer than ${LONGEST_LINE / 1_000_000} million characters.${NOT_ONE}` };
    if (!goesOn && characters > most)
      return {
        error: `The recording is too large. The page shows the first ${model.events.length} events.`,
      };
  }
  if (number === 0 && rest === '') return { error: `The file is empty.${NOT_ONE}` };
  if (rest.trim() !== '') {
    const error = readLine(rest, number + 1, model, fromStart);
    if (error && number === 0) return { error };
    if (error)
      return { error: 'The recording is truncated: its last line is incomplete. The page shows all lines before it.' };
  }
  if (model.nodes[0] && !model.nodes[0].end)
    return { error: 'The recording ends before its run. The process may have ended, or the run is still active.' };
  return model.events.length === 0 ? { error: 'The recording contains no events.' } : {};
}

const LONGEST_LINE = 64_000_000;
const NOT_ONE = ' Open a JSON Lines file from the recorder hook or from the export of a run.';

function readLine(text: string, number: number, model: RunModel, fromStart: boolean): string | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return `Line ${number} is not JSON.${number === 1 ? NOT_ONE : ' The page shows all lines before it.'}`;
  }
  if (number === 1 && fromStart) return checkHead(line);
  const { event, same, steps, lost } = Object(line) as Line;
  if (typeof lost === 'number') model.lost += lost;
  else if (isEvent(event)) model.append(event, stepsIn(steps), same);
  else return `Line ${number} is not an event. The page shows all lines before it.`;
  return undefined;
}

function checkHead(line: unknown): string | undefined {
  const { format, version, events } = Object(line) as Partial<RecordingHead>;
  if (format !== 'hookline-recording') return `Line 1 is not the header of a recording.${NOT_ONE}`;
  if (version === VERSION && events === EVENTS) return undefined;
  return `The recording has version ${version}, with events of version ${events}. This page reads version ${VERSION} with events of version ${EVENTS}. Open it with the Hookline version that wrote it, or a newer one.`;
}
