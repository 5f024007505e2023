import type { RunView } from './run-view.ts';

/** Fields of a run that a filter can name. */
const fields: Readonly<Record<string, (run: RunView) => string | undefined>> = {
  agent: (run) => run.agent,
  session: (run) => run.sessionId,
  model: (run) => run.model,
  outcome: (run) => run.outcome,
  state: (run) => run.state,
  by: (run) => run.decidedBy?.join(' '),
};

/** The names before a colon in a filter. */
export const filterNames: readonly string[] = Object.keys(fields);

/** Returns the runs that match every word. `agent:coder` matches this field; a word without a name matches any displayed field. */
export function filterRuns(runs: readonly RunView[], filter: string): readonly RunView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? runs : runs.filter((run) => words.every((word) => fits(run, word)));
}

function fits(run: RunView, word: string): boolean {
  const at = word.indexOf(':');
  const field = Object.hasOwn(fields, word.slice(0, Math.max(at, 0))) ? fields[word.slice(0, at)] : undefined;
  if (field)
    return (
      field(run)
        ?.toLowerCase()
        .includes(word.slice(at + 1)) ?? false
    );
  const shown = [run.title, run.runId, run.agent, run.sessionId, run.model, run.state, run.outcome, run.reason];
  return shown.some((text) => text?.toLowerCase().includes(word));
}
