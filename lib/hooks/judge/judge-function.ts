import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { RunInfo } from '../../events/parts/run-info.ts';

export const judgedSchema = z.enum(['prompt', 'toolResult', 'answer']);

export type Judged = z.output<typeof judgedSchema>;

export const judgementSchema = z
  .object({
    pass: z.boolean().optional(),
    score: z.number().min(0).max(1).optional(),
    reason: z.string().optional(),
    rewritten: z.string().nullish(),
  })
  .refine(({ pass, score }) => pass !== undefined || score !== undefined, 'must contain pass or score');

/** The result of a judge: whether the text passes, or its score from 0 to 1, with a reason and an acceptable text. */
export type Judgement = z.input<typeof judgementSchema>;

/** The context of the judged text. */
export interface JudgedText {
  readonly of: Judged;
  /** The preceding text of the same stream, at most 2,000 characters. It has passed. */
  readonly before: string;
  readonly tool?: string;
  readonly run: RunInfo;
  /** Aborts at the timeout or when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** Judges a text; `true` passes. */
export type JudgeFunction = (
  text: string,
  about: JudgedText,
) => boolean | Judgement | Promise<boolean | Judgement> | Observable<boolean | Judgement>;
