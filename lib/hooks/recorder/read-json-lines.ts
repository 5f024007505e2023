import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { parseLine } from '../../store/lines/json-line.ts';
import { readLines } from '../../store/lines/read-lines.ts';

/** Creates the error of a line, which says why the line cannot be read. */
export type LineIssue = (why: string, cause?: unknown) => HooklineError;

/**
 * Passes each line of a JSON Lines file to `read`. A truncated last line is ignored, and `cut` is true. Throws `INPUT_INVALID` if the file cannot be
 * read or a line is not JSON. `issue` creates errors about the first line.
 */
export function readJsonLines(
  file: string,
  what: string,
  read: (json: unknown, issue: LineIssue) => void,
): { readonly cut: boolean; readonly issue: LineIssue } {
  const failed = (why: string, cause?: unknown) =>
    new HooklineError('INPUT_INVALID', `The ${what} "${file}" cannot be read: ${why}`, { cause });
  const issueOf =
    (number: number): LineIssue =>
    (why, cause) =>
      failed(`line ${number} ${why}.`, cause);
  let cut = false;
  try {
    for (const line of readLines(file)) {
      if (!line.whole) {
        cut = true;
        break;
      }
      const issue = issueOf(line.number);
      const json = parseLine(line, (cause) => {
        // The message of the parser would quote the text of the line.
        throw issue('is not JSON', cause);
      });
      read(json, issue);
    }
  } catch (thrown) {
    throw thrown instanceof HooklineError ? thrown : failed(messageOf(thrown), thrown);
  }
  return { cut, issue: issueOf(1) };
}
