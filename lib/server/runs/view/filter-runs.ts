import type { RunView } from '../run-view.ts';

/** A piece of work that a filter can match. */
export interface FilteredRun {
  readonly view: RunView;
  /** Lower-case texts of its prompts, answers, calls and results. */
  readonly texts: readonly string[];
}

/** Fields that contain the given text. */
const fields: Readonly<Record<string, (run: RunView) => string | undefined>> = {
  agent: (run) => run.agent,
  session: (run) => run.sessionId,
  model: (run) => run.model,
  outcome: (run) => run.outcome,
  state: (run) => `${run.state}${isWaiting(run) ? ' waiting' : ''}${run.paused ? ' paused' : ''}`,
  by: (run) => run.decidedBy?.join('\n'),
  tool: (run) => run.tools?.join('\n'),
  user: (run) => run.user,
};
const times: Readonly<Record<string, (startedAt: number, at: number) => boolean>> = {
  after: (startedAt, at) => startedAt >= at,
  before: (startedAt, at) => startedAt < at,
};
const amounts: Readonly<Record<string, (run: RunView) => number | undefined>> = {
  cost: (run) => run.cost?.amount,
  tokens: (run) => run.usage && run.usage.inputTokens + run.usage.outputTokens,
};

/** The conditions of a filter, with their signs. */
export const filterNames: readonly string[] = [
  ...[...Object.keys(fields), ...Object.keys(times)].map((name) => `${name}:`),
  ...Object.keys(amounts).map((name) => `${name}>`),
];

/** Whether the run has pending calls, also as an active run. */
export function isWaiting({ state, waiting }: Pick<RunView, 'state' | 'waiting'>): boolean {
  return state === 'suspended' || (state === 'running' && waiting !== undefined);
}

type Condition = (run: FilteredRun) => boolean;

/** A filter. With an issue, it cannot be used. */
export type ReadFilter = { readonly matches: Condition } | { readonly issue: string };

const WORD = /([a-z]+)([:<>])(?:"([^"]*)"?|(\S*))|"([^"]*)"?|(\S+)/gi;

/**
 * Reads a filter: words, quoted text, and conditions such as `agent:coder`, `after:2026-01-31` or `cost>0.5`. A run matches if it matches all of
 * them. A word matches the texts of a run, case-insensitively.
 */
export function readFilter(filter: string): ReadFilter {
  const conditions: Condition[] = [];
  for (const [, name, sign, quoted, value, phrase, word] of filter.matchAll(WORD)) {
    const read =
      name === undefined ? textCondition(phrase ?? word ?? '') : named(name, sign ?? '', quoted ?? value ?? '');
    if (typeof read === 'string') return { issue: read };
    conditions.push(read);
  }
  return { matches: (run) => conditions.every((condition) => condition(run)) };
}

function named(given: string, sign: string, value: string): Condition | string {
  const name = given.toLowerCase();
  const [field, time, amount] = [own(fields, name), own(times, name), own(amounts, name)];
  if (field && sign === ':') {
    const wanted = value.toLowerCase();
    return ({ view }) => field(view)?.toLowerCase().includes(wanted) ?? false;
  }
  if (time && sign === ':') {
    const at = Date.parse(value);
    if (Number.isNaN(at)) return `The filter ${name}: needs a date such as 2026-01-31, not ${JSON.stringify(value)}.`;
    return ({ view }) => time(Date.parse(view.startedAt), at);
  }
  if (amount && sign !== ':') {
    const bound = Number(value);
    if (value === '' || Number.isNaN(bound))
      return `The filter ${name}${sign} needs a number, not ${JSON.stringify(value)}.`;
    return ({ view }) => {
      const found = amount(view);
      return found !== undefined && (sign === '>' ? found > bound : found < bound);
    };
  }
  const quote = `Quote text that contains "${sign}", such as "${given}${sign}${value}".`;
  return `There is no filter ${JSON.stringify(given + sign)}. Use ${filterNames.join(', ')} (also with <). ${quote}`;
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function textCondition(text: string): Condition {
  const wanted = text.toLowerCase();
  return ({ view, texts }) => shownText(view).includes(wanted) || texts.some((one) => one.includes(wanted));
}

const shown = new WeakMap<RunView, string>();

function shownText(view: RunView): string {
  const known = shown.get(view);
  if (known !== undefined) return known;
  const { title, runId, agent, sessionId, model, state, outcome, reason, lastError } = view;
  const text = [title, runId, agent, sessionId, model, state, outcome, reason, lastError].join('\n').toLowerCase();
  shown.set(view, text);
  return text;
}
