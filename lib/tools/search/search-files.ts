import type { Deadline } from '../files/deadline.ts';
import { isBinary } from '../files/is-binary.ts';
import { openFile } from '../files/open-file.ts';
import { readLines } from '../files/read-lines.ts';
import { formatPath } from '../files/show-path.ts';
import { type Entry, walk } from '../files/walk.ts';
import type { Workspace } from '../workspace.ts';
import type { Searcher } from './start-searcher.ts';

/** A search, with its limits. */
export interface SearchRequest {
  readonly searcher: Searcher;
  readonly deadline: Deadline;
  readonly maxResults: number;
  readonly maxFileBytes: number;
  readonly skip: readonly string[];
  wanted(way: string): boolean;
}

/** The matching lines, and the skipped files. `stuck` is the file in which the search timed out. */
export interface Findings {
  readonly lines: readonly string[];
  readonly notices: readonly string[];
  readonly stuck: string | undefined;
}

/** Searches the file `path`, or all files below it, until there are enough results or the deadline expires. */
export async function searchFiles(workspace: Workspace, path: string, request: SearchRequest): Promise<Findings> {
  const { searcher, deadline, maxResults, skip } = request;
  const { signal } = deadline;
  const [lines, notices]: [string[], string[]] = [[], []];
  let passedOver = 0;
  let current: string | undefined;
  try {
    for await (const entry of walk(workspace, path, { recursive: true, skip, signal })) {
      signal.throwIfAborted();
      if (entry.kind === 'limit') notices.push('There are too many files; the rest is omitted. Search a subdirectory.');
      if (entry.kind === 'unreadable') passedOver += 1;
      if (entry.kind !== 'file' || !request.wanted(entry.way)) continue;
      current = entry.path;
      const text = await readText(workspace, entry, request);
      if (text === undefined) {
        passedOver += 1;
        continue;
      }
      // One more line than the limit shows whether there are more.
      const hits = await searcher.search(text, maxResults + 1 - lines.length);
      lines.push(...hits.map((hit) => `${formatPath(entry.path)}:${hit.line}: ${hit.text}`));
      if (lines.length > maxResults) break;
    }
    current = undefined;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (lines.length > maxResults) {
    lines.length = maxResults;
    notices.push(`Only the first ${maxResults} lines are shown. Use a narrower pattern, path or glob.`);
  }
  if (passedOver > 0) notices.push(`Skipped ${passedOver} that are binary, too large or unreadable.`);
  if (deadline.expired()) {
    const where = current === undefined ? '' : ` in ${JSON.stringify(current)}`;
    notices.push(`The search timed out${where}. Use a simpler pattern, or a narrower path or glob.`);
  }
  return { lines, notices, stuck: current };
}

async function readText(workspace: Workspace, entry: Entry, { maxFileBytes, deadline }: SearchRequest) {
  try {
    const file = await openFile(workspace, entry);
    if (!file) return undefined;
    const range = { offset: 1, limit: Infinity, maxBytes: maxFileBytes, signal: deadline.signal };
    const { bytes, more } = await readLines(file.handle, range).finally(() => file.handle.close());
    return more || isBinary(bytes) ? undefined : bytes.toString('utf8');
  } catch (error) {
    if (deadline.signal.aborted) throw error;
    return undefined;
  }
}
