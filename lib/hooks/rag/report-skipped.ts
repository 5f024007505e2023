import type { Logger } from '../../pipeline/logger.ts';
import type { SkipReason, Walked } from './walk-folder.ts';

const words: Readonly<Record<SkipReason, string>> = {
  ignored: 'ignored',
  link: 'links that lead out of the directory, or are broken',
  special: 'not regular files',
  tooLarge: 'too large',
  unreadable: 'not readable',
  tooMany: 'more than maxFiles',
  binary: 'binary',
};

/** The maximum number of names per reason. */
const NAMED = 5;

/** Logs the skipped files of a folder with the reasons, unless the message equals `lastReport`. Returns the message. */
export function reportSkipped(skipped: Walked['skipped'], lastReport: string, log: Logger): string {
  const kinds = (Object.keys(words) as SkipReason[]).flatMap((reason) => {
    const paths = skipped.filter((one) => one.reason === reason).map(({ path }) => path);
    if (paths.length === 0) return [];
    const more = paths.length > NAMED ? ', ..' : '';
    return [`${paths.length} ${words[reason]} (${paths.slice(0, NAMED).join(', ')}${more})`];
  });
  const message = kinds.join('; ');
  if (message === lastReport || message === '') return message;
  // Ignored files are skipped on purpose, so they need no warning.
  const level = skipped.some(({ reason }) => reason !== 'ignored') ? 'warn' : 'info';
  log[level]({ code: 'rag-skipped' }, `of the directory was skipped: ${message}`);
  return message;
}
