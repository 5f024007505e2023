import { CallNames } from '../../../chat/call-names.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { AgUiEvent, AgUiToolCall } from '../ag-ui-event.ts';
import type { MappingOptions } from './mapping-options.ts';
import { Screen } from './screen.ts';
import type { ShownRun } from './shown-run.ts';

/** The sender that all parts of a mapping share. */
export class Wire {
  /** Facts of hooks, for the next event of the mapping. */
  facts: JsonObject | undefined;
  ids: MappingOptions['ids'];
  readonly emit: (event: AgUiEvent) => void;
  readonly screen: Screen;
  readonly names: CallNames;
  /** The client's earlier messages. */
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

  send(run: ShownRun, event: AgUiEvent): void {
    const { facts } = this;
    this.facts = undefined;
    const metadata = facts && { metadata: { hooks: { ...(event.metadata?.['hooks'] as JsonObject), ...facts } } };
    this.emit({ ...event, ...run.owner, ...metadata });
  }

  /** Sends a snapshot, because the client's state must differ from the sent events. */
  snapshot(): void {
    this.emit({ type: 'MESSAGES_SNAPSHOT', messages: this.screen.messages });
  }

  startStep(run: ShownRun, stepName: string): void {
    if (run.steps.has(stepName)) return;
    run.steps.add(stepName);
    this.send(run, { type: 'STEP_STARTED', stepName });
  }

  /** Finishes the open steps whose name starts with `prefix`. */
  finishSteps(run: ShownRun, prefix: string): void {
    for (const stepName of run.steps) {
      if (!stepName.startsWith(prefix)) continue;
      run.steps.delete(stepName);
      this.send(run, { type: 'STEP_FINISHED', stepName });
    }
  }

  /** Sends a call under its id on the wire. */
  callShown(run: ShownRun, call: ToolCall, parentMessageId: string): void {
    const shown = wireCall(call);
    const { id: toolCallId } = call;
    this.screen.addCall(parentMessageId, shown, run.owner);
    this.send(run, { type: 'TOOL_CALL_START', toolCallId, toolCallName: call.name, parentMessageId });
    this.send(run, { type: 'TOOL_CALL_ARGS', toolCallId, delta: shown.function.arguments });
    this.send(run, { type: 'TOOL_CALL_END', toolCallId });
  }

  /** Clients may give a resumed run the id of the previous one. */
  messageId(): string {
    this.#messages += 1;
    const id = `${this.ids?.runId}:${this.#messages}`;
    return this.#known.has(id) ? this.messageId() : id;
  }
}

/** Converts a call to the format of messages. */
export function wireCall({ id, name, input }: ToolCall): AgUiToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
