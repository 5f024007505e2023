import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Logger } from '../../pipeline/logger.ts';

export const passageSchema = z.object({
  source: z.string(),
  text: z.string(),
  score: z.number(),
  lines: z.tuple([z.int().positive(), z.int().positive()]).readonly().exactOptional(),
  title: z.string().exactOptional(),
  path: z.string().exactOptional(),
});

/**
 * A passage that may help with a question. `source` is its origin: a path, an address, a title. A higher `score` is a better match, on the
 * retriever's own scale. `lines` are its first and last lines in the source, from 1; `title` is its topic. `path` is the file or address for read
 * rules, if `source` is neither; the model does not receive it.
 */
export type Passage = z.infer<typeof passageSchema>;

/** The context of a question. */
export interface RetrieveRequest {
  /** The maximum number of passages. */
  readonly limit: number;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  readonly run: RunInfo;
  readonly log: Logger;
  /** Whether rules let the model read a path or an address. Withheld passages are always dropped, so they need not count. */
  readonly mayRead: (place: string) => boolean;
}

/** Finds passages for a question of the user. Errors are logged, and the run continues without passages. */
export type Retriever = (
  question: string,
  request: RetrieveRequest,
) => readonly Passage[] | Promise<readonly Passage[]> | Observable<readonly Passage[]>;
