import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Route } from '../app/route.ts';
import { openReplay } from '../replay/open-replay.ts';
import { ReplayView } from '../replay/replay-view.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { type OpenRecording, openRecording, type Part } from '../wire/open-recording.ts';
import { type OpenRun, openLiveRun } from '../wire/open-run.ts';
import { RunView } from './run-view.tsx';

/** The local file that is open. */
const localFile = signal<File | undefined>(undefined);

/** A run of the server, a recording of it, or a local recording. */
export function RunPage({ route }: { readonly route: Route }) {
  const file = route.view === 'file' ? localFile.value : undefined;
  const [part, setPart] = useState<Part>('ends');
  const run = useMemo(() => openAt(route, file, part), [file, part]);
  useEffect(() => () => run?.close(), [run]);
  const [{ replay, error }, setReplay] = useState<Awaited<ReturnType<typeof openReplay>>>({});
  const [isBeside, setBeside] = useState(true);
  const recording = route.view === 'recording' ? route.id : undefined;
  useEffect(() => {
    if (recording !== undefined) void openReplay(recording).then(setReplay);
  }, [recording]);
  if (!run) {
    const open = (chosen: File | undefined) => {
      localFile.value = chosen;
    };
    return <OpenFile onFile={open} />;
  }
  const bar = replay && (
    <div class="replay-bar">
      <div class="segmented">
        <button type="button" aria-pressed={isBeside} onClick={() => setBeside(true)}>
          Beside its replay
        </button>
        <button type="button" aria-pressed={!isBeside} onClick={() => setBeside(false)}>
          Recording
        </button>
      </div>
    </div>
  );
  if (replay && isBeside)
    return (
      <>
        {bar}
        <ReplayView of={replay} />
      </>
    );
  return (
    <>
      {bar}
      <ErrorNotice of={error ?? ''} />
      {'parts' in run && run.parts.value > 0 && <PartsBar count={run.parts.value} part={part} onPart={setPart} />}
      <RunView key={`${file?.name} ${part}`} run={run} route={route} name={file?.name} />
    </>
  );
}

function openAt(route: Route, file: File | undefined, part: Part): OpenRun | OpenRecording | undefined {
  if (route.view === 'run') return openLiveRun(route.id);
  if (route.view === 'recording') return openRecording(route.id, part);
  return file && openRecording(file, part);
}

/** Opens a local recording. It is read in the browser and sent nowhere. */
function OpenFile({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer?.files[0]);
  };
  return (
    <section
      class={over ? 'empty drop over' : 'empty drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      aria-labelledby="open-file"
    >
      <h1 id="open-file">Open a recording</h1>
      <p>Drop a file from the recorder hook or from the export of a run. It is read in this tab and sent nowhere.</p>
      <label class="button primary">
        Choose a file
        <input
          type="file"
          accept=".jsonl,application/jsonl"
          class="read-out"
          onChange={(event) => onFile(event.currentTarget.files?.[0])}
        />
      </label>
    </section>
  );
}

/** Selects the part of a large recording: both ends, or one part. */
function PartsBar({
  count,
  part,
  onPart,
}: {
  readonly count: number;
  readonly part: Part;
  readonly onPart: (part: Part) => void;
}) {
  const at = part === 'ends' ? -1 : part;
  return (
    <div class="parts-bar">
      <span>
        {part === 'ends'
          ? `Large recording: the first and the last of ${count} parts.`
          : `Part ${part + 1} of ${count}.`}
      </span>
      <button type="button" aria-pressed={part === 'ends'} onClick={() => onPart('ends')}>
        Both ends
      </button>
      <button type="button" disabled={at <= 0} onClick={() => onPart(at - 1)}>
        Previous
      </button>
      <input
        type="range"
        aria-label="Part"
        min={0}
        max={count - 1}
        value={Math.max(at, 0)}
        onChange={(event) => onPart(Number(event.currentTarget.value))}
      />
      <button type="button" disabled={at >= count - 1} onClick={() => onPart(at + 1)}>
        Next
      </button>
    </div>
  );
}
