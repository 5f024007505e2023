import { defer, from, map, type Observable, type ObservableInput, toArray } from 'rxjs';
import type { Abort } from '../../events/decisions/decision.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { ToolResult } from '../../events/parts/tool-result.ts';
import { addUsage, type Usage } from '../../events/parts/usage.ts';
import { resultPart, resultsMessage } from '../transcript/close-orphans.ts';
import { withResults } from '../transcript/with-results.ts';
import { invalid, type JournalItem, readJournal } from './read-journal.ts';
import type { Reply } from './recovery.ts';

/** The calls with one id in a batch. A model may use an id twice. */
export interface Acts {
  /** The judged calls that were to run. */
  readonly begun: ToolCall[];
  /** Whether all judged calls were rejected or answered by a hook. */
  refused: boolean;
  readonly results: ToolResult[];
  finishing: boolean;
}

/** The calls of a resumed batch, whose message is in an earlier journal. */
export interface Resumed {
  readonly ids: readonly string[];
}

/** What a journal says about the messages of its run, and where it stopped. */
export interface ReplayedRun {
  readonly run: RunInfo;
  /** The number of model steps that have settled. */
  readonly iteration: number;
  readonly retries: number;
  readonly usage: Usage | undefined;
  /** The messages that the run has remembered before the last reply. */
  readonly said: readonly (Message | Resumed)[];
  /** The number of those that were in the store before the last model request. */
  readonly stored: number;
  readonly reply: Reply | undefined;
  /** The messages that the run has remembered with the last reply, if it has written them already. */
  readonly tail: readonly Message[];
  /** The calls after the last reply, by id. Without a reply, those of a resumed batch. */
  readonly acts: ReadonlyMap<string, Acts>;
  /** Whether a model step has begun, or a hook has answered instead. */
  readonly reasoned: boolean;
  readonly summary: boolean;
  /** Whether the last model step has failed. */
  readonly failed: boolean;
  readonly abort: Abort | undefined;
}

/** Reads the journal of a run of the agent `name`, once per subscription. */
export function readRun(journal: ObservableInput<JournalItem>, name: string): Observable<ReplayedRun> {
  return defer(() => {
    if (
      typeof journal === 'string' ||
      (typeof journal !== 'object' && typeof journal !== 'function') ||
      journal === null
    )
      throw invalid('the journal must be an array, an iterable or an Observable of settled events.');
    return from(journal);
  }).pipe(
    toArray(),
    map((items) => {
      const run = replayRun(readJournal(items));
      if (run.run.agent === name) return run;
      throw invalid(`the journal is of agent ${JSON.stringify(run.run.agent)}, not of ${JSON.stringify(name)}.`);
    }),
  );
}

/** Follows the loop through the events of a run that was cut off, those of its sub-agents included. */
export function replayRun(events: readonly SettledEvent[]): ReplayedRun {
  const run = (events[0] as SettledEvent).run;
  const said: (Message | Resumed)[] = [];
  let [stored, iteration, retries] = [0, 0, 0];
  let [reasoned, summary, failed] = [false, false, false];
  let acts = new Map<string, Acts>();
  let usage: Usage | undefined;
  let reply: Reply | undefined;
  let abort: Abort | undefined;

  function closeReply(): void {
    if (reply) said.push(...replyMessages(reply, acts));
    else if (acts.size > 0) said.push({ ids: [...acts.keys()] });
    reply = undefined;
    acts = new Map();
  }

  function actsOf({ id }: ToolCall): Acts {
    const known = acts.get(id) ?? { begun: [], refused: true, results: [], finishing: false };
    acts.set(id, known);
    return known;
  }

  for (const event of events) {
    if (event.run.runId !== run.runId) {
      const child = event.type === 'postCall' && event.run.parentRunId === run.runId && event.outcome !== 'suspended';
      if (child) usage = addUsage(usage, event.usage);
      continue;
    }
    if (event.decision?.action === 'abort') abort ??= event.decision;
    if (event.type === 'preCall') {
      said.push(...withResults(event.messages));
      if (event.decision?.action === 'respond') {
        const { message, by = '' } = event.decision;
        // Instead of the loop, so its calls do not run.
        reply = {
          message,
          finishReason: 'responded',
          ...(toolCallsOf(message).length > 0 && { decision: { action: 'finish', by } }),
        };
        reasoned = true;
      }
    } else if (event.type === 'preReasoning') {
      closeReply();
      // Before each model step, the loop writes the conversation. Only a repeated summary follows without.
      if (event.purpose === 'step' || !summary) stored = said.length;
      summary = event.purpose === 'summary';
      iteration = Math.max(iteration, event.iteration - 1);
      reasoned = true;
      failed = false;
    } else if (event.type === 'postReasoning') {
      reply = event;
      iteration = event.iteration;
      retries = event.decision?.action === 'retry' ? retries + 1 : 0;
      usage = addUsage(usage, event.usage);
      if (summary && event.decision?.action === 'retry') closeReply();
    } else if (event.type === 'preActing') {
      const known = actsOf(event.toolCall);
      const runs = event.decision === undefined;
      if (runs) known.begun.push(event.toolCall);
      known.refused &&= !runs;
    } else if (event.type === 'postActing') {
      const known = actsOf(event.toolCall);
      known.results.push(event.result);
      known.finishing ||= event.decision?.action === 'finish';
    } else if (event.type === 'error') failed ||= event.phase === 'reasoning' && reply === undefined;
  }
  const tail = reply ? replyMessages(reply, acts) : [];
  const end = { reply, tail, acts, reasoned, summary, failed, abort };
  return { run, iteration, retries, usage, said, stored, ...end };
}

/** Returns a reply with the results of its calls and the messages of a hook that asked to reason again. Without all results, only the reply. */
function replyMessages({ message, decision }: Reply, acts: ReadonlyMap<string, Acts>): readonly Message[] {
  const calls = toolCallsOf(message);
  const taken = new Map<string, number>();
  const parts = calls.flatMap((call) => {
    const nth = taken.get(call.id) ?? 0;
    taken.set(call.id, nth + 1);
    const result = acts.get(call.id)?.results[nth];
    return result ? [resultPart(call, result)] : [];
  });
  if (parts.length < calls.length) return [message];
  const results = parts.length > 0 ? [resultsMessage(message, parts)] : [];
  return [message, ...results, ...(decision?.action === 'retry' ? withResults(decision.messages) : [])];
}
