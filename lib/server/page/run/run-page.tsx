import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Route } from '../app/route.ts';
import { openReplay } from '../replay/open-replay.ts';
import { ReplayView } from '../replay/replay-view.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { type OpenRecording, openRecording, type Part } from '../wire/open-recording.ts';
import { type OpenRun, openLiveRun } from '../wire/open-run.ts';
import { OpenFile } from './open-file.tsx';
import { PartsBar } from './parts-bar.tsx';
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
