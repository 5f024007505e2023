import type { Message } from '../../../events/parts/message.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { UiMessageChunk } from '../ui-message-chunk.ts';
import { withdrawnPart } from './data-parts.ts';
import type { MappingOptions } from './mapping-options.ts';
import { createTextParts, type TextParts } from './text-parts.ts';

/** A run, as far as the client sees it. */
export interface RunView {
  readonly run: RunInfo;
  readonly texts: TextParts;
  attempt: number;
  /** Whether nothing has come since the last message settled. */
  settled: boolean;
  /** What has settled, but may yet be changed as the run's answer. */
  held: Message | undefined;
  /** Whether all of the run was taken back; undefined as long as no hook has ended it. */
  rollback?: boolean;
}

/** The views of a run and of its sub-agents'. */
export interface RunViews {
  of(run: RunInfo): RunView;
  known(runId: string): RunView | undefined;
  forget(runId: string): void;
  /** The ids of the texts that a run has been shown with; of all runs without one. */
  shownBy(runId?: string): readonly string[];
  /** Ends all texts that are being written. */
  closeTexts(): void;
}

export function createRunViews(
  { version, thinking, buffer }: Pick<MappingOptions, 'version' | 'thinking' | 'buffer'>,
  send: (chunk: UiMessageChunk) => void,
): RunViews {
  const views = new Map<string, RunView>();
  /** By their ids, whose they are. */
  const texts = new Map<string, string>();
  /** Nearly every event is of the run of the one before. */
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
        send(withdrawnPart(nameOf(run), ids));
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

/** What stands beside the parts of a sub-agent. */
export function whoseOf({ depth, runId, agent }: RunInfo): JsonObject {
  return depth === 0 ? {} : { runId, agent };
}
