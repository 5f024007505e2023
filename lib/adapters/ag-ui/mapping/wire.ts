import type { JsonObject } from '../../../events/values/json-value.ts';
import type { AgUiEvent } from '../ag-ui-event.ts';
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
  readonly #callOwners = new Map<string, string>();
  #messages = 0;

  constructor({ ids, messages }: MappingOptions, emit: (event: AgUiEvent) => void) {
    this.ids = ids;
    this.emit = emit;
    this.screen = new Screen(messages);
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

  /** Models number their calls as they like; one of a sub-agent gets another name where it is taken. */
  callId({ runId }: ShownRun, id: string): string {
    const owner = this.#callOwners.get(id);
    if (owner === undefined) this.#callOwners.set(id, runId);
    return owner === undefined || owner === runId ? id : `${runId}/${id}`;
  }

  messageId(): string {
    this.#messages += 1;
    return `${this.ids?.runId}:${this.#messages}`;
  }
}
