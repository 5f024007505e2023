import type { Subscription } from 'rxjs';
import { resumedKeys } from '../../../agent/suspend/resumed-keys.ts';
import { hookFacts } from '../../../chat/hook-facts.ts';
import type { ErrorEvent } from '../../../events/error-event.ts';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { PostCall } from '../../../events/post-call.ts';
import type { InboxChange } from '../../../hooks/asking/inbox.ts';
import type { AgUiEvent } from '../ag-ui-event.ts';
import { Answers } from './answers.ts';
import { Calls } from './calls.ts';
import { ClientCalls } from './client-calls.ts';
import { outcomeOf, type ShownCall, usageOf } from './ending.ts';
import { approvalEvent } from './inline-approval.ts';
import type { MappingOptions } from './mapping-options.ts';
import { type ShownRun, shownRun } from './shown-run.ts';
import { Wire } from './wire.ts';

/** Maps the events of one run. The output is a valid AG-UI stream wherever it ends. */
export class Mapping {
  readonly #options: MappingOptions;
  readonly #wire: Wire;
  readonly #answers: Answers;
  readonly #calls: Calls;
  readonly #clientCalls: ClientCalls;
  readonly #runs = new Map<string, ShownRun>();
  #begun = false;
  #over = false;
  #watching: Subscription | undefined;

  constructor(options: MappingOptions, emit: (event: AgUiEvent) => void) {
    this.#options = options;
    this.#wire = new Wire(options, emit);
    this.#clientCalls = new ClientCalls(this.#wire, options.clientTools);
    this.#answers = new Answers(this.#wire, options.thinking, this.#clientCalls, (event) => this.#runOf(event));
    this.#calls = new Calls(this.#wire, options.toolOutput, this.#clientCalls);
  }

  /** Sends RUN_STARTED, as soon as the run has an id. */
  begin(): void {
    const { ids } = this.#wire;
    if (this.#begun || !ids) return;
    this.#begun = true;
    this.#wire.emit({ type: 'RUN_STARTED', ...ids, protocolVersion: '1.0' });
    this.#watching = this.#options.inbox?.changes$.subscribe((change) => this.#asked(change));
  }

  take(event: SettledEvent): void {
    if (this.#over) return;
    if (event.run.depth > 0 && this.#runOf(event).hidden) {
      // Its pending calls need a name.
      if (event.type === 'preActing') this.#wire.names.of(event.run, event.toolCall.id);
      this.#runOf(event).over ||= event.type === 'postCall';
      return;
    }
    if (event.decision?.action === 'abort') this.#runOf(event).abort ??= event.decision;
    if (event.type === 'reasoningChunk') this.#answers.chunk(event);
    else {
      const run = this.#runOf(event);
      if (!run.over) this.#takeOf(run, event);
    }
  }

  /** Ends the stream. A run without postCall ends with an error. */
  end(): void {
    this.stop();
    if (this.#over) return;
    this.#over = true;
    this.#wire.emit({ type: 'RUN_ERROR', message: this.#options.broken, code: 'BROKEN_OFF' });
  }

  stop(): void {
    this.#watching?.unsubscribe();
  }

  #takeOf(run: ShownRun, event: Exclude<SettledEvent, { type: 'reasoningChunk' }>): void {
    if (event.type === 'actingChunk') {
      this.#calls.chunk(run, event);
      return;
    }
    this.#wire.facts = this.#options.hooks ? hookFacts(event) : undefined;
    if (event.type === 'preReasoning') this.#answers.begin(run, event);
    if (event.type === 'postReasoning') this.#answers.end(run, event);
    if (event.type === 'preActing') this.#calls.begin(run, event.toolCall);
    if (event.type === 'postActing') this.#calls.end(run, event);
    if (event.type === 'postCall') this.#postCall(run, event);
    if (event.type === 'error' && this.#options.hooks) this.#error(run, event);
    const { facts } = this.#wire;
    this.#wire.facts = undefined;
    // No event was sent that could carry the facts.
    if (facts) this.#wire.send(run, { type: 'CUSTOM', name: 'hooks.facts', value: { event: event.type, ...facts } });
  }

  #runOf({ run }: SettledEvent): ShownRun {
    const known = this.#runs.get(run.runId);
    if (known) return known;
    this.#wire.ids ??= { threadId: run.sessionId, runId: run.runId };
    this.begin();
    const shown = shownRun(run, run.depth > 0 && this.#options.subagents === 'none');
    this.#runs.set(run.runId, shown);
    if (run.depth > 0 && !shown.hidden) this.#subagentStarted(shown, run.parentRunId);
    for (const call of this.#options.inbox?.list() ?? [])
      if (call.run.runId === run.runId) this.#asked({ type: 'waiting', call });
    return shown;
  }

  #subagentStarted(run: ShownRun, parentRunId = ''): void {
    const parent = this.#runs.get(parentRunId);
    const [call, ...others] = parent?.acting ?? [];
    this.#wire.send(run, {
      type: 'SUBAGENT_STARTED',
      name: run.agent,
      ...(parent?.owner.subagentRunId !== undefined && { parentSubagentRunId: parent.runId }),
      // If several calls are running, the call that started the run is unknown.
      ...(call !== undefined && others.length === 0 && { parentToolCallId: call }),
    });
  }

  /** Sends that an error occurred, and its phase. The message is only logged. */
  #error(run: ShownRun, { phase, source, hook }: ErrorEvent): void {
    const value = { phase, source, ...(hook !== undefined && { hook }) };
    this.#wire.send(run, { type: 'CUSTOM', name: 'hooks.error', value });
  }

  #asked(change: InboxChange): void {
    const run = this.#runs.get(change.call.run.runId);
    if (!run || run.over || this.#over) return;
    this.#wire.send(run, approvalEvent(change, this.#wire.names.of(run, change.call.toolCallId)));
  }

  #postCall(run: ShownRun, event: SettledEvent<PostCall>): void {
    this.#close(run);
    if (event.outcome === 'aborted' && run.abort?.rollback) this.#rollback(run);
    if (event.message) this.#answers.last(run, event.message);
    run.over = true;
    if (run.owner.subagentRunId === undefined) this.#runFinished(run, event);
    else this.#subagentFinished(run, event);
  }

  /** Resets the client to the conversation before the run. */
  #rollback(run: ShownRun): void {
    const theirs = new Set([run]);
    // The run of a sub-agent follows its parent.
    for (const one of this.#runs.values()) {
      const parent = this.#runs.get(one.parentRunId ?? '');
      if (parent && theirs.has(parent)) theirs.add(one);
    }
    for (const one of theirs) this.#calls.withdraw(one);
    this.#wire.screen.withdrawRuns(new Set([...theirs].map(({ owner }) => owner.subagentRunId)));
    this.#wire.snapshot();
  }

  #subagentFinished(run: ShownRun, { outcome }: Pick<PostCall, 'outcome'>): void {
    if (outcome === 'failed') this.#wire.send(run, { type: 'SUBAGENT_ERROR', message: `Agent "${run.agent}" failed.` });
    else if (outcome === 'suspended')
      this.#wire.send(run, { type: 'SUBAGENT_FINISHED', outcome: { type: 'suspended' } });
    else this.#wire.send(run, { type: 'SUBAGENT_FINISHED' });
  }

  #runFinished(run: ShownRun, event: SettledEvent<PostCall>): void {
    this.#over = true;
    for (const one of this.#runs.values()) {
      if (one.over || one.hidden) continue;
      this.#close(one);
      this.#subagentFinished(one, { outcome: 'cancelled' });
    }
    const { outcome, reason } = event;
    const usage = usageOf(event.usage);
    if (outcome === 'failed') {
      const message = this.#options.errorText(event);
      this.#wire.send(run, { type: 'RUN_ERROR', message, code: 'FAILED', ...usage });
      return;
    }
    const waiting = outcome === 'suspended' ? this.#waitingOf(event) : [];
    // Clients run calls when they receive them, so their calls are sent only after all approvals.
    if (waiting.every(({ client }) => client))
      for (const { toolCallId, tool, input, subagentRunId } of waiting)
        this.#clientCalls.hand(this.#runs.get(subagentRunId ?? '') ?? run, toolCallId, tool, input);
    if (waiting.length > 0) this.#wire.snapshot();
    const { threadId, runId } = this.#wire.ids as NonNullable<Wire['ids']>;
    const why = outcome === 'aborted' && reason !== undefined && { reason };
    const result = { outcome, ...why, ...(run.abort?.rollback && { rolledBack: true }) };
    const how = outcomeOf(event, waiting);
    this.#wire.send(run, { type: 'RUN_FINISHED', threadId, runId, outcome: how, result, ...usage });
  }

  /** Returns the pending calls, by their ids on the wire. */
  #waitingOf(event: SettledEvent<PostCall>): readonly ShownCall[] {
    const places = new Map([...resumedKeys(event.snapshot ?? {})].map(([place, key]) => [key, place]));
    return this.#options.waiting(event).map((call) => {
      const place = places.get(call.key) ?? '';
      const owner = this.#runs.get(place.slice(0, place.indexOf('/')))?.owner;
      return { ...call, toolCallId: this.#wire.names.byKey(place) ?? call.toolCallId, ...owner };
    });
  }

  #close(run: ShownRun): void {
    this.#answers.close(run);
    this.#wire.finishSteps(run, '');
  }
}
