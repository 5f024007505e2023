import { CallNames } from '../../../chat/call-names.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { AgUiEvent, AgUiToolCall } from '../ag-ui-event.ts';
import type { MappingOptions } from './mapping-options.ts';
import { Screen } from './screen.ts';
import type { ShownRun } from './shown-run.ts';

/** What all parts of a mapping send through. */
export class Wire {
  /** Of hooks, for the next event of its own that is sent. */
  facts: JsonObject | undefined;
  ids: MappingOptions['ids'];
  readonly emit: (event: AgUiEvent) => void;
  readonly screen: Screen;
  readonly names: CallNames;
  /** Messages that the client had. */
  readonly #known: ReadonlySet<string>;
  #messages = 0;

  constructor({ ids, messages, named }: MappingOptions, emit: (event: AgUiEvent) => void) {
    this.ids = ids;
    this.emit = emit;
    this.screen = new Screen(messages);
    this.#known = new Set(messages.map(({ id }) => id));
    const shown = messages.flatMap(({ toolCalls = [], toolCallId = [] }) =>
      toolCalls.map(({ id }) => id).concat(toolCallId),
    );
    this.names = new CallNames(shown, named);
  }

  /** Sends an event of that run. */
  send(run: ShownRun, event: AgUiEvent): void {
    const { facts } = this;
    this.facts = undefined;
    const metadata = facts && { metadata: { hooks: { ...(event.metadata?.['hooks'] as JsonObject), ...facts } } };
    this.emit({ ...event, ...run.owner, ...metadata });
  }

  /** What stands on the screen is not what was sent. */
  snapshot(): void {
    this.emit({ type: 'MESSAGES_SNAPSHOT', messages: this.screen.messages });
  }

  startStep(run: ShownRun, stepName: string): void {
    if (run.steps.has(stepName)) return;
    run.steps.add(stepName);
    this.send(run, { type: 'STEP_STARTED', stepName });
  }

  /** Those that begin so. */
  finishSteps(run: ShownRun, prefix: string): void {
    for (const stepName of run.steps) {
      if (!stepName.startsWith(prefix)) continue;
      run.steps.delete(stepName);
      this.send(run, { type: 'STEP_FINISHED', stepName });
    }
  }

  /** Shows a call under its name on the wire. */
  callShown(run: ShownRun, call: ToolCall, parentMessageId: string): void {
    const shown = wireCall(call);
    const { id: toolCallId } = call;
    this.screen.addCall(parentMessageId, shown, run.owner);
    this.send(run, { type: 'TOOL_CALL_START', toolCallId, toolCallName: call.name, parentMessageId });
    this.send(run, { type: 'TOOL_CALL_ARGS', toolCallId, delta: shown.function.arguments });
    this.send(run, { type: 'TOOL_CALL_END', toolCallId });
  }

  /** Clients may give the run that goes on the name of the one before. */
  messageId(): string {
    this.#messages += 1;
    const id = `${this.ids?.runId}:${this.#messages}`;
    return this.#known.has(id) ? this.messageId() : id;
  }
}

/** A call as messages have it. */
export function wireCall({ id, name, input }: ToolCall): AgUiToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
