import type { EventOf } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Ruling } from './judgement.ts';
import { type StreamedText, streamedText } from './streamed-text.ts';

/** What has been judged of a stream. */
export interface Streamed {
  readonly key: string;
  readonly text: StreamedText;
  /** Why none of it may go on any more. */
  refused?: Ruling;
}

/** What is known of a run. */
export interface JudgedRun {
  /** What the user has said and may say. */
  readonly prompts: Set<string>;
  answer: Streamed;
  /** By call. */
  readonly results: Map<string, Streamed>;
  /** How often in a row the answer had to be given again. */
  rejected: number;
}

type Step = { readonly iteration: number; readonly attempt?: number };

/** What was judged of the runs that live in this process. */
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
    /** The answer of a step; a new attempt begins anew. */
    answerOf(run: RunInfo, { iteration, attempt = 1 }: Step): Streamed {
      const known = runOf(run);
      const key = `${iteration} ${attempt}`;
      if (known.answer.key !== key) known.answer = begin(key);
      return known.answer;
    },
    /** The output of a call, of its last attempt. */
    outputOf(run: RunInfo, { toolCall, attempt }: EventOf<'actingChunk'>): Streamed {
      const { results } = runOf(run);
      const known = results.get(toolCall.id);
      const key = String(attempt);
      const stream = known?.key === key ? known : begin(key);
      results.set(toolCall.id, stream);
      return stream;
    },
    /** The output of a call that has ended; it is forgotten. */
    endOf(run: RunInfo, callId: string): Streamed {
      const { results } = runOf(run);
      const known = results.get(callId) ?? begin('');
      results.delete(callId);
      return known;
    },
  };
}

const begin = (key: string): Streamed => ({ key, text: streamedText() });
