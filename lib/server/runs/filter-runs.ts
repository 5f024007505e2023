import type { RunView } from './run-view.ts';

/** Members of a run that a word of the filter may name. */
const members: Readonly<Record<string, (run: RunView) => string | undefined>> = {
  agent: (run) => run.agent,
  session: (run) => run.sessionId,
  model: (run) => run.model,
  outcome: (run) => run.outcome,
  state: (run) => run.state,
  by: (run) => run.decidedBy?.join(' '),
};

/** The names that stand before a colon in a filter. */
export const filterNames: readonly string[] = Object.keys(members);

/** The runs that have every word of the filter: `agent:coder outcome:failed` and such in their member, others anywhere in what is shown of them. */
export function filterRuns(runs: readonly RunView[], filter: string): readonly RunView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? runs : runs.filter((run) => words.every((word) => fits(run, word)));
}

function fits(run: RunView, word: string): boolean {
  const at = word.indexOf(':');
  const member = Object.hasOwn(members, word.slice(0, Math.max(at, 0))) ? members[word.slice(0, at)] : undefined;
  if (member)
    return (
      member(run)
        ?.toLowerCase()
        .includes(word.slice(at + 1)) ?? false
    );
  const shown = [run.title, run.runId, run.agent, run.sessionId, run.model, run.state, run.outcome, run.reason];
  return shown.some((text) => text?.toLowerCase().includes(word));
}
