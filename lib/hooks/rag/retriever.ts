import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { Logger } from '../../pipeline/logger.ts';

/** Schema of a `Passage`. */
export const passageSchema = z.object({
  source: z.string(),
  text: z.string(),
  score: z.number(),
  lines: z.tuple([z.int().positive(), z.int().positive()]).readonly().exactOptional(),
  title: z.string().exactOptional(),
  path: z.string().exactOptional(),
});

/**
 * A piece of text that may help with a question. `source` says where it comes from: a path, an address, a title. A higher `score` fits
 * better, on a scale of the retriever's own. `lines` are the first and the last one in the source, from 1; `title` says what it is about.
 * `path` is the file or address that rules about reading are asked about, where `source` is none; the model is not told of it.
 */
export type Passage = z.infer<typeof passageSchema>;

/** What a retriever is asked with beside the question. */
export interface RetrieveRequest {
  /** So many passages are wanted at most. */
  readonly limit: number;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly run: RunInfo;
  readonly log: Logger;
  /** Whether rules let the model read a path or an address. Passages that they withhold are left out anyway; they need not count. */
  readonly mayRead: (place: string) => boolean;
}

/** Finds passages for a question of the user. What it throws is told in the log, and the run goes on without any. */
export type Retriever = (
  question: string,
  request: RetrieveRequest,
) => readonly Passage[] | Promise<readonly Passage[]> | Observable<readonly Passage[]>;
