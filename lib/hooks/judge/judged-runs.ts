import type { EventOf } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Ruling } from './judgement.ts';
import { type StreamedText, streamedText } from './streamed-text.ts';

/** The judged part of a stream. */
export interface Streamed {
  readonly key: string;
  readonly text: StreamedText;
  /** Set if the rest of the stream is withheld. */
  refused?: Ruling;
}

/** The judged texts of a run. */
export interface JudgedRun {
  /** The user prompts that passed. */
  readonly prompts: Set<string>;
  answer: Streamed;
  /** By call id. */
  readonly results: Map<string, Streamed>;
  /** The number of consecutive rejected answers. */
  rejected: number;
}

type Step = { readonly iteration: number; readonly attempt?: number };

/** Stores the judged texts of the runs in this process. */
export function judgedRuns() {
  const runs = new WeakMap<RunInfo, JudgedRun>();

  function runOf(run: RunInfo): JudgedRun {
    const known = runs.get(run);
    if (known) return known;
    const made = { prompts: new Set<string>(), answer: begin(''), results: new Map<string, Streamed>(), rejected: 0 };
    runs.set(run, made);
    return made;
  }

  return {
    runOf,
    /** Returns the answer of a step. A new attempt starts empty. */
    answerOf(run: RunInfo, { iteration, attempt = 1 }: Step): Streamed {
      const known = runOf(run);
      const key = `${iteration} ${attempt}`;
      if (known.answer.key !== key) known.answer = begin(key);
      return known.answer;
    },
    /** Returns the output of the last attempt of a call. */
    outputOf(run: RunInfo, { toolCall, attempt }: EventOf<'actingChunk'>): Streamed {
      const { results } = runOf(run);
      const known = results.get(toolCall.id);
      const key = String(attempt);
      const stream = known?.key === key ? known : begin(key);
      results.set(toolCall.id, stream);
      return stream;
    },
    /** Returns and deletes the output of a finished call. */
    endOf(run: RunInfo, callId: string): Streamed {
      const { results } = runOf(run);
      const known = results.get(callId) ?? begin('');
      results.delete(callId);
      return known;
    },
  };
}

const begin = (key: string): Streamed => ({ key, text: streamedText() });
