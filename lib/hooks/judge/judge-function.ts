import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { RunInfo } from '../../events/parts/run-info.ts';

/** What can be judged. */
export const judgedSchema = z.enum(['prompt', 'toolResult', 'answer']);

/** What can be judged. */
export type Judged = z.output<typeof judgedSchema>;

/** Schema of a `Judgement`. */
export const judgementSchema = z
  .object({
    pass: z.boolean().optional(),
    score: z.number().min(0).max(1).optional(),
    reason: z.string().optional(),
    rewritten: z.string().nullish(),
  })
  .refine(({ pass, score }) => pass !== undefined || score !== undefined, 'needs pass or score');

/** What a judge says: whether the text passes, or its score from 0 to 1; why, and a text that would do. */
export type Judgement = z.input<typeof judgementSchema>;

/** What is judged beside the text itself. */
export interface JudgedText {
  readonly of: Judged;
  /** What came right before it in the same stream, at most 2,000 characters; it has passed. */
  readonly before: string;
  readonly tool?: string;
  readonly run: RunInfo;
  /** Aborts when nobody waits for the judgement any more: its time is up, or the run is cancelled. */
  readonly signal: AbortSignal;
}

/** Judges a text; `true` passes. */
export type JudgeFunction = (
  text: string,
  about: JudgedText,
) => boolean | Judgement | Promise<boolean | Judgement> | Observable<boolean | Judgement>;
