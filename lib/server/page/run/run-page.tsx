import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Route } from '../app/route.ts';
import { type OpenRun, openLiveRun, openRecording } from '../wire/open-run.ts';
import { OpenFile } from './open-file.tsx';
import { RunView } from './run-view.tsx';

/** The local file that is open. */
export const localFile = signal<File | undefined>(undefined);

/** A run of the server, a recording of it, or a local recording. */
export function RunPage({ route }: { readonly route: Route }) {
  const file = route.view === 'file' ? localFile.value : undefined;
  const run = useMemo(() => openAt(route, file), [file]);
  useEffect(() => () => run?.close(), [run]);
  return run ? <RunView key={file?.name} run={run} route={route} name={file?.name} /> : <OpenFile />;
}

function openAt(route: Route, file: File | undefined): OpenRun | undefined {
  if (route.view === 'run') return openLiveRun(route.id);
  if (route.view === 'recording') return openRecording(route.id);
  return file && openRecording(file);
}
