import { isEvent, stepsIn } from '../model/is-event.ts';
import { createRunModel, type RunModel } from '../model/run-model.ts';
import { callApi } from '../wire/call-api.ts';
import type { ReplayedRun } from './paired-rows.ts';

/** The replay of a recording: the run, then its sub-agents. */
export interface OpenReplay {
  readonly recordedBy?: string;
  readonly hooks: readonly { readonly name: string; readonly change: string }[];
  readonly runs: readonly ReplayedRun[];
}

type Reports = readonly { readonly event: unknown; readonly steps: unknown }[];
type Sent = Omit<OpenReplay, 'runs'> & {
  readonly runs: readonly (Omit<ReplayedRun, 'recorded' | 'replayed'> & {
    readonly recorded: Reports;
    readonly replayed: Reports;
  })[];
};

/** Loads the replay of a recording. Without either result, the server replays nothing. */
export async function openReplay(id: string): Promise<{ replay?: OpenReplay; error?: string }> {
  const { ok, status, body, error } = await callApi<Sent>('GET', `/api/recordings/${encodeURIComponent(id)}/replay`);
  if (!ok) return status === 404 ? {} : { error };
  const runs = body.runs.map((run) => ({
    ...run,
    recorded: modelOf(run.recorded),
    replayed: modelOf(run.replayed),
  }));
  return { replay: { ...body, runs } };
}

function modelOf(reports: Reports): RunModel {
  const model = createRunModel();
  for (const { event, steps } of reports) if (isEvent(event)) model.append(event, stepsIn(steps));
  return model;
}
