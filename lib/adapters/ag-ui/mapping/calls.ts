import type { ActingChunk } from '../../../events/acting-chunk.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { PostActing } from '../../../events/post-acting.ts';
import type { ClientCalls } from './client-calls.ts';
import type { ShownRun } from './shown-run.ts';
import type { Wire } from './wire.ts';

/** The maximum number of characters shown of a tool's progress. */
const SHOWN_OUTPUT = 100_000;

/** Sends tool calls and their results. */
export class Calls {
  readonly #wire: Wire;
  readonly #toolOutput: boolean;
  readonly #clientCalls: ClientCalls;

  constructor(wire: Wire, toolOutput: boolean, clientCalls: ClientCalls) {
    this.#wire = wire;
    this.#clientCalls = clientCalls;
    this.#toolOutput = toolOutput;
  }

  begin(run: ShownRun, { id, name, input }: ToolCall): void {
    const toolCallId = this.#wire.names.of(run, id);
    run.acting.add(toolCallId);
    // Hooks or an answer changed the call after it was shown.
    if (this.#wire.screen.rewriteCall(toolCallId, name, JSON.stringify(input))) this.#wire.snapshot();
    this.#wire.startStep(run, `acting:${toolCallId}`);
  }

  chunk(run: ShownRun, { toolCall, content, attempt }: ActingChunk): void {
    if (!this.#toolOutput) return;
    const toolCallId = this.#wire.names.of(run, toolCall.id);
    const known = run.outputs.get(toolCallId);
    if (!known && content === '') return;
    const output =
      known && attempt <= known.attempt
        ? known
        : { messageId: known?.messageId ?? this.#wire.messageId(), attempt, length: 0 };
    const about = { messageId: output.messageId, activityType: 'tool_output' };
    if (output !== known) {
      run.outputs.set(toolCallId, output);
      const shown = { toolCallId, tool: toolCall.name, output: [] };
      run.reports.set(output.messageId, shown);
      this.#wire.send(run, { type: 'ACTIVITY_SNAPSHOT', ...about, content: shown, replace: true });
    }
    if (content === '' || attempt < output.attempt || output.length > SHOWN_OUTPUT) return;
    output.length += content.length;
    const value = output.length > SHOWN_OUTPUT ? '[The rest is omitted.]' : content;
    this.#wire.send(run, { type: 'ACTIVITY_DELTA', ...about, patch: [{ op: 'add', path: '/output/-', value }] });
  }

  /** Retracts progress of tools. Clients keep activity messages across snapshots. */
  withdraw(run: ShownRun): void {
    for (const [messageId, content] of run.reports)
      this.#wire.send(run, {
        type: 'ACTIVITY_SNAPSHOT',
        messageId,
        activityType: 'tool_output',
        content,
        replace: true,
      });
  }

  end(run: ShownRun, { toolCall, result, outcome }: PostActing): void {
    const { screen } = this.#wire;
    // An error thrown by a tool is only logged.
    const content = outcome === 'failed' ? 'The call failed.' : result.content;
    const toolCallId = this.#wire.names.of(run, toolCall.id);
    const own = screen.ownResult(toolCallId);
    const givenUp = !own && this.#clientCalls.giveUp(run, toolCallId, toolCall);
    if (!own) {
      const messageId = this.#wire.messageId();
      screen.add({ id: messageId, role: 'tool', toolCallId, content, ...run.owner });
      const metadata = outcome === 'executed' ? {} : { metadata: { hooks: { outcome } } };
      // Clients run a call without a result, so the call and its result are sent together.
      if (givenUp) this.#wire.snapshot();
      else
        this.#wire.send(run, { type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool', ...metadata });
    } else if (own.content !== content) {
      // The client has shown its own tool's result, and hooks changed it.
      screen.rewriteResult(own, content);
      this.#wire.snapshot();
    }
    run.acting.delete(toolCallId);
    run.outputs.delete(toolCallId);
    this.#wire.finishSteps(run, `acting:${toolCallId}`);
  }
}
