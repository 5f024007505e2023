import type { ActingChunk } from '../../../events/acting-chunk.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { PostActing } from '../../../events/post-acting.ts';
import type { ClientCalls } from './client-calls.ts';
import type { ShownRun } from './shown-run.ts';
import type { Wire } from './wire.ts';

/** Of what a tool reports, so many characters are shown. */
const SHOWN_OUTPUT = 100_000;

/** Shows what becomes of tool calls. */
export class Calls {
  readonly #wire: Wire;
  readonly #toolOutput: boolean;
  readonly #clientCalls: ClientCalls;

  constructor(wire: Wire, toolOutput: boolean, clientCalls: ClientCalls) {
    this.#wire = wire;
    this.#clientCalls = clientCalls;
    this.#toolOutput = toolOutput;
  }

  begin(run: ShownRun, { id }: ToolCall): void {
    const toolCallId = this.#wire.names.of(run, id);
    run.acting.add(toolCallId);
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
    const value = output.length > SHOWN_OUTPUT ? '[The rest is not shown.]' : content;
    this.#wire.send(run, { type: 'ACTIVITY_DELTA', ...about, patch: [{ op: 'add', path: '/output/-', value }] });
  }

  /** Takes back what tools have reported; clients keep such messages whatever a snapshot says. */
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
    // What a tool throws is for the log.
    const content = outcome === 'failed' ? 'The call failed.' : result.content;
    const toolCallId = this.#wire.names.of(run, toolCall.id);
    const own = screen.ownResult(toolCallId);
    const givenUp = !own && this.#clientCalls.giveUp(run, toolCallId, toolCall);
    if (!own) {
      const messageId = this.#wire.messageId();
      screen.add({ id: messageId, role: 'tool', toolCallId, content, ...run.owner });
      const metadata = outcome === 'executed' ? {} : { metadata: { hooks: { outcome } } };
      // A call without a result is run by the client: the two come at once.
      if (givenUp) this.#wire.snapshot();
      else
        this.#wire.send(run, { type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool', ...metadata });
    } else if (own.content !== content) {
      // The client has shown what its tool gave; hooks have made something else of that.
      screen.rewriteResult(own, content);
      this.#wire.snapshot();
    }
    run.acting.delete(toolCallId);
    run.outputs.delete(toolCallId);
    this.#wire.finishSteps(run, `acting:${toolCallId}`);
  }
}
