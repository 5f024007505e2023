import { rollsBack } from '../../../events/decisions/abort.ts';
import type { SettledEvent } from '../../../events/hook-event.ts';
import type { FinishReason } from '../../../events/parts/finish-reason.ts';
import { toolCallsOf } from '../../../events/parts/messages.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { PostCall } from '../../../events/post-call.ts';
import type { PostReasoning } from '../../../events/post-reasoning.ts';
import type { ReasoningChunk } from '../../../events/reasoning-chunk.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { UiMessageChunk } from '../ui-message-chunk.ts';
import { type CallParts, createCallParts } from './call-parts.ts';
import { approvalPart, hookPart, retractedPart, subagentPart, toolOutputPart } from './data-parts.ts';
import { endingOf } from './ending.ts';
import type { MappingOptions } from './mapping-options.ts';
import { createRunViews, type RunView, whoseOf } from './run-views.ts';
import { pendingCallIds, type WaitingCall } from './suspended-calls.ts';

/** Maps the events of a run and its sub-agents to chunks. */
export interface Mapping {
  take(event: SettledEvent): void;
  /** Sends a pending call inside a running run, if it belongs to one of these runs. */
  wait(run: Pick<RunInfo, 'runId'>, call: WaitingCall): void;
  /** Sends the state of that call. */
  answer(call: WaitingCall, state: string): void;
  /** Ends the stream. Without a postCall, it ends with an error. */
  end(): void;
}

/** `send` receives the chunks, in order. */
export function createMapping(options: MappingOptions, send: (chunk: UiMessageChunk) => void): Mapping {
  const { version, buffer } = options;
  const views = createRunViews(options, send);
  let root: string | undefined;
  let inStep = false;
  let ended = false;
  let finishReason: FinishReason = 'stop';
  let iteration = -1;
  /** Pending calls inside the running run. */
  const asked = new Set<string>();

  const calls: CallParts = createCallParts({
    send,
    metadataOf: (run) => (run.depth === 0 ? {} : { providerMetadata: { hookline: whoseOf(run) } }),
    clientTools: new Set(options.clientTools),
    approvals: version > 5,
    resumed: options.resumed,
    errorText: (event) => options.errorText(event),
  });

  function begin(run: RunInfo): void {
    root = run.runId;
    const { messageId } = options;
    const messageMetadata = { hookline: { runId: run.runId, agent: run.agent } };
    send({ type: 'start', ...(messageId !== undefined && { messageId }), messageMetadata });
  }

  function step(open: boolean): void {
    // When the step ends, the client drops open texts.
    if (!open) views.closeTexts();
    if (inStep === open) return;
    inStep = open;
    send({ type: open ? 'start-step' : 'finish-step' });
  }

  /** Starts or repeats a model step. Unsettled content of the previous one is retracted. */
  function reason({ run, iteration: next }: SettledEvent): void {
    const view = views.of(run);
    release(view);
    if (view.settled) view.texts.begin();
    else view.texts.withdraw();
    Object.assign(view, { attempt: 0, settled: false });
    if (run.depth > 0 || next === iteration) return;
    iteration = next;
    step(false);
    step(true);
  }

  function chunk(event: ReasoningChunk): void {
    const { run, part, attempt } = event;
    const view = views.of(run);
    if (attempt !== view.attempt) {
      view.texts.withdraw();
      view.attempt = attempt;
    }
    // A part of the client needs the name of its tool, which arrives with the whole call.
    if (part !== 'toolInput') view.texts.add(event);
  }

  function settle({ run, message, finishReason: reason, decision }: PostReasoning): void {
    const view = views.of(run);
    const asked = toolCallsOf(message);
    const last = asked.length === 0 || decision?.action === 'finish';
    if (buffer && last) view.held = message;
    else view.texts.settle(message);
    view.settled = true;
    if (run.depth === 0) finishReason = reason;
    for (const toolCall of asked) calls.offer(run, toolCall);
  }

  function release(view: RunView): void {
    if (view.held) view.texts.settle(view.held);
    view.held = undefined;
  }

  function conclude(event: SettledEvent<PostCall>): void {
    const { run, outcome, snapshot } = event;
    const view = views.of(run);
    const { message = view.held } = event;
    const back = outcome === 'aborted' && view.rollback === true;
    view.texts.close();
    if (run.depth > 0) {
      if (view.settled && message && !back) view.texts.settle(message);
      if (outcome !== 'suspended') calls.close(run.runId);
      if (back) takeBack(run, run.runId);
      views.forget(run.runId);
      send(subagentPart(run, outcome));
      return;
    }
    if (message && !back && (view.settled || !view.texts.matches(message))) {
      if (!view.settled) view.texts.begin();
      if (message.parts.length > 0) step(true);
      view.texts.settle(message);
    }
    if (outcome === 'suspended' && snapshot) suspend(snapshot);
    calls.close();
    if (back) takeBack(run);
    finish(event, back);
  }

  /** Retracts what a run has shown. Without `runId`, all content. */
  function takeBack(run: RunInfo, runId?: string): void {
    if (version === 7 && runId === undefined && inStep) send({ type: 'reset-step' });
    const ids = [...views.shownBy(runId), ...calls.begunBy(runId)];
    if (ids.length > 0) send(retractedPart(`${run.runId}:rollback`, ids));
  }

  function suspend(snapshot: JsonObject): void {
    for (const key of pendingCallIds(snapshot)) calls.hold(key);
    for (const call of options.waiting(snapshot)) {
      if (call.client) calls.hand(call);
      else ask(call);
    }
  }

  function ask(call: WaitingCall): void {
    send(approvalPart(call, calls.ask(call), 'waiting'));
  }

  function isOfShownCall(event: SettledEvent): boolean {
    return (event.type === 'preActing' || event.type === 'postActing') && calls.isShown(event.run, event.toolCall.id);
  }

  function finish(event: SettledEvent<PostCall>, rolledBack: boolean): void {
    ended = true;
    step(false);
    for (const last of endingOf(event, finishReason, version, () => options.errorText(event), rolledBack)) send(last);
  }

  return {
    take(event) {
      const { run } = event;
      if (ended || (run.depth === 0 && root !== undefined && run.runId !== root)) return;
      if (root === undefined) begin(run);
      if (run.depth > 0 && options.subagents === 'none' && !isOfShownCall(event)) {
        // Known for its pending calls.
        views.of(run);
        return;
      }
      if (event.decision?.action === 'abort') views.of(run).rollback ??= rollsBack(event);
      if (event.type === 'reasoningChunk') return chunk(event);
      const facts = options.hooks ? hookPart(event) : undefined;
      if (facts) send(facts);
      switch (event.type) {
        case 'preCall':
          views.of(run);
          if (run.depth > 0) send(subagentPart(run, 'running'));
          return;
        case 'preReasoning':
          return reason(event);
        case 'postReasoning':
          return settle(event);
        case 'preActing':
          views.of(run).settled = false;
          return calls.evaluate(run, event.toolCall, event.decision);
        case 'actingChunk':
          if (event.content !== '' || event.last) send(toolOutputPart(event, calls.idOf(run, event.toolCall.id)));
          return;
        case 'postActing':
          return calls.settle(event);
        case 'error':
          views.of(run).settled = false;
          return;
        case 'postCall':
          return conclude(event as SettledEvent<PostCall>);
      }
    },
    wait({ runId }, call) {
      const view = views.known(runId);
      if (ended || !view || asked.has(call.id)) return;
      asked.add(call.id);
      calls.adopt(view.run, call.toolCallId);
      ask(call);
    },
    answer(call, state) {
      if (ended || !asked.delete(call.id)) return;
      send(approvalPart(call, calls.go(call), state));
    },
    end() {
      if (ended) return;
      ended = true;
      calls.close();
      step(false);
      send({ type: 'error', errorText: 'The run ended unexpectedly.' });
    },
  };
}
