import type { Message } from '../../../events/parts/message.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { UiMessageChunk } from '../ui-message-chunk.ts';
import { retractedPart } from './data-parts.ts';
import type { MappingOptions } from './mapping-options.ts';
import { createTextParts, type TextParts } from './text-parts.ts';

/** The client's state of a run. */
export interface RunView {
  readonly run: RunInfo;
  readonly texts: TextParts;
  attempt: number;
  /** True if nothing has arrived since the last message settled. */
  settled: boolean;
  /** A settled message that postCall may still change as the run's reply. */
  held: Message | undefined;
  /** True if the whole run was retracted. `undefined` until a hook ends the run. */
  rollback?: boolean;
}

/** The states of a run and its sub-agents. */
export interface RunViews {
  of(run: RunInfo): RunView;
  known(runId: string): RunView | undefined;
  forget(runId: string): void;
  /** Returns the ids of the texts of a run. Without `runId`, of all runs. */
  shownBy(runId?: string): readonly string[];
  /** Ends all open texts. */
  closeTexts(): void;
}

export function createRunViews(
  { version, thinking, buffer }: Pick<MappingOptions, 'version' | 'thinking' | 'buffer'>,
  send: (chunk: UiMessageChunk) => void,
): RunViews {
  const views = new Map<string, RunView>();
  /** The run of each text, by id. */
  const texts = new Map<string, string>();
  /** A cache, because most events belong to the same run as the previous one. */
  let latest: RunView | undefined;
  let named = 0;

  function nameOf({ runId }: RunInfo): string {
    named += 1;
    return `${runId}:${named}`;
  }

  function textsOf(run: RunInfo): TextParts {
    const whose = whoseOf(run);
    return createTextParts({
      send,
      name() {
        const id = nameOf(run);
        texts.set(id, run.runId);
        return { id, providerMetadata: { hookline: { id, ...whose } } };
      },
      withdraw(ids) {
        if (version === 7 && run.depth === 0) {
          send({ type: 'reset-step' });
          return true;
        }
        send(retractedPart(nameOf(run), ids));
        return false;
      },
      thinking,
      buffer,
    });
  }

  return {
    of(run) {
      if (latest?.run.runId === run.runId) return latest;
      latest = views.get(run.runId) ?? { run, texts: textsOf(run), attempt: 0, settled: false, held: undefined };
      views.set(run.runId, latest);
      return latest;
    },
    known: (runId) => views.get(runId),
    forget(runId) {
      views.delete(runId);
      latest = undefined;
    },
    shownBy: (runId) => [...texts].flatMap(([id, whose]) => (runId === undefined || runId === whose ? [id] : [])),
    closeTexts() {
      for (const { texts } of views.values()) texts.close();
    },
  };
}

/** Returns the fields that identify a sub-agent's parts. */
export function whoseOf({ depth, runId, agent }: RunInfo): JsonObject {
  return depth === 0 ? {} : { runId, agent };
}
