import { finish } from '../../events/decisions/finish.ts';
import { modify } from '../../events/decisions/modify.ts';
import type { EventOf } from '../../events/hook-event.ts';
import { userMessage } from '../../events/parts/messages.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import { defineState } from '../../pipeline/define/state.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import { lastQuestion } from '../last-question.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { createRunTrees } from '../run-trees.ts';
import { weakensUnless } from '../weakens-unless.ts';
import {
  type CallLine,
  emptyLine,
  type Repeated,
  readLine,
  repeatedIn,
  type SavedLine,
  savedLineSchema,
  saveLine,
  withCall,
} from './call-line.ts';
import { printCall } from './call-print.ts';
import { type LoopGuardOptions, loopGuardOptionsSchema } from './loop-guard-options.ts';

/** After hooks that offer tools or change results. */
const LATE = 880;

/** The shared state of the runs of one tree. */
interface Tree {
  /** The calls of each run that has calls. */
  readonly lines: Map<string, CallLine>;
  /** The calls of finished sub-agents, by parent run. */
  readonly done: Map<string, CallLine['since'][]>;
  /** The running calls of each run, and whether a sub-agent has begun since. */
  readonly open: Map<string, Map<string, boolean>>;
}

/**
 * Ends loops. A model that repeats the same call, or the same few calls in turn, receives a warning. If it continues, it answers once
 * more without tools. Neither message enters the transcript. Calls with different results are different, so polling continues.
 *
 * - Parallel calls: Calls of one message count once, because the model had not seen any of their results.
 * - Sub-agents: Their calls count for the parent run, too. A sub-agent starts with the recent calls of its parent.
 * - Retry: A repeated model request changes nothing. A repeated call counts once.
 * - Suspend and resume: The counts are in the snapshot.
 * - Cost: Compares each call with the recent calls. At `warnAt` a message is added to the next request.
 */
export function loopGuard(options: LoopGuardOptions = {}): Hook {
  const { name, warnAt, finishAt, sameResult, counters, cycle, except } = parseHookOptions(
    'loop-guard',
    loopGuardOptionsSchema,
    options,
  );
  /** Enough for the longest cycle with other calls of the same turns in between. */
  const most = 2 * Math.max(2, cycle) * finishAt;
  const excepted = createMatcher(except);
  const lineKey = defineState<SavedLine>({
    name: `${name}.calls`,
    schema: savedLineSchema,
    initial: saveLine(emptyLine),
  });
  const trees = createRunTrees<Tree>(() => ({ lines: new Map(), done: new Map(), open: new Map() }));
  /** Runs in their last request. */
  const last = new WeakSet<RunInfo>();

  /** Returns the calls of the run, with those of its sub-agents since. */
  function lineOf(context: HookContext, tree: Tree, iteration: number): CallLine {
    const { run } = context;
    const line = tree.lines.get(run.runId) ?? readLine(context.state(lineKey).get());
    const done = tree.done.get(run.runId) ?? [];
    if (done.length === 0) return line;
    tree.done.delete(run.runId);
    const { before, since, own } = line;
    const turn = turnOf(run, iteration);
    const merged = done.flat().reduce((all, made) => withCall(all, { ...made, turn }, most), since);
    return { before, since: merged, own };
  }

  function keep(tree: Tree, context: HookContext, line: CallLine): void {
    if (line === tree.lines.get(context.run.runId)) return;
    context.state(lineKey).set(saveLine(line));
    tree.lines.set(context.run.runId, line);
  }

  function begin(context: HookContext): void {
    const { run } = context;
    trees.begin(context);
    const tree = trees.of(context);
    const line = readLine(context.state(lineKey).get());
    const parent = run.parentRunId === undefined ? undefined : tree.lines.get(run.parentRunId);
    tree.lines.set(run.runId, line);
    if (parent && isEmpty(line)) keep(tree, context, { ...emptyLine, before: wholeOf(parent).slice(-most) });
    const calls = tree.open.get(run.parentRunId ?? '');
    for (const id of calls?.keys() ?? []) calls?.set(id, true);
  }

  function called(event: EventOf<'postActing'>, context: HookContext): void {
    const { toolCall, outcome, run, iteration } = event;
    const tree = trees.of(context);
    const calls = tree.open.get(run.runId);
    const delegated = calls?.get(toolCall.id) ?? false;
    calls?.delete(toolCall.id);
    if (outcome === 'skipped' || outcome === 'cancelled' || excepted(toolCall.name)) return;
    const print = printCall(event, { results: sameResult, prose: delegated, counters });
    const made = { tool: toolCall.name, turn: turnOf(run, iteration), ...print };
    const done = tree.done.has(run.runId);
    const line = lineOf(context, tree, iteration);
    const since = delegated && done ? line.since : withCall(line.since, made, most);
    // Without sub-agents, both lists are the same.
    const own = line.own === line.since && since !== line.since ? since : withCall(line.own, made, most);
    keep(tree, context, { before: line.before, since, own });
  }

  function ask(event: EventOf<'preReasoning'>, context: HookContext): EventOf<'preReasoning'> {
    const tree = trees.of(context);
    const line = lineOf(context, tree, event.iteration);
    keep(tree, context, line);
    const repeated = repeatedIn(line, cycle);
    if (repeated.times < warnAt) return event;
    const message = describeRepeated(repeated);
    const finishes = repeated.times >= finishAt;
    const code = finishes ? 'loop-finish' : 'loop-warning';
    const data = { ...repeated };
    context.log.warn({ ...data, code }, message);
    if (finishes) last.add(context.run);
    const hint = userMessage(
      `${message} Another repetition will not help. Try another approach, or answer with what you know.`,
    );
    const asked = finishes ? lastQuestion(event, message) : modify(event, { messages: [...event.messages, hint] });
    return modify(asked, {}, { note: { code, message, data } });
  }

  return defineHook({
    name,
    description: 'Ends loops of repeated calls.',
    priority: LATE,
    on: {
      preCall: (_, context) => begin(context),
      preReasoning: (event, context) =>
        context.dryRun || event.decision || event.purpose === 'summary' ? event : ask(event, context),
      postReasoning: (event, { run }) => (last.has(run) ? finish(event) : event),
      preActing({ toolCall, run }, context) {
        const { open } = trees.of(context);
        open.set(run.runId, (open.get(run.runId) ?? new Map()).set(toolCall.id, false));
      },
      postActing: (event, context) => called(event, context),
    },
    // Includes cancelled runs, because no other handler sees their end.
    observe({ type, run }, context) {
      if (type !== 'postCall') return;
      const tree = trees.of(context);
      const line = tree.lines.get(run.runId);
      if (run.parentRunId !== undefined && line && line.since.length > 0)
        tree.done.set(run.parentRunId, [...(tree.done.get(run.parentRunId) ?? []), line.since]);
      tree.lines.delete(run.runId);
      tree.done.delete(run.runId);
      tree.open.delete(run.runId);
      trees.end(run);
    },
  });
}

const turnOf = ({ runId }: RunInfo, iteration: number): string => `${runId}.${iteration}`;
const isEmpty = ({ before, since, own }: CallLine) => before.length + since.length + own.length === 0;
const wholeOf = ({ before, since }: CallLine) => [...before, ...since];

function describeRepeated({ times, tools }: Repeated): string {
  const last = tools.at(-1);
  if (tools.length === 1) return `The same call of ${last} was made ${times} times in a row.`;
  return `The same sequence of calls of ${tools.slice(0, -1).join(', ')} and ${last} was made ${times} times.`;
}

/** @internal The catalogue entry of `loopGuard`. */
export const loopGuardEntry = defineCatalogueEntry({
  name: 'loop-guard',
  description: 'Ends loops: warns a model that repeats the same calls, then makes it answer without tools.',
  events: ['preCall', 'preReasoning', 'postReasoning', 'preActing', 'postActing', 'postCall'],
  approves: false,
  optionsSchema: loopGuardOptionsSchema,
  example: { warnAt: 3, finishAt: 5, except: ['wait'] },
  weakens: weakensUnless({
    warnAt: 'mayFall',
    finishAt: 'mayFall',
    sameResult: (_, after) => after,
    counters: (_, after) => !after,
    cycle: 'mayRise',
    except: 'mayShrink',
  }),
  create: loopGuard,
});
