import type { Logger } from '../../pipeline/logger.ts';
import type { SkipReason, Walked } from './walk-folder.ts';

const words: Readonly<Record<SkipReason, string>> = {
  ignored: 'ignored',
  link: 'links that lead out of the folder, or nowhere',
  special: 'no files',
  tooLarge: 'too large',
  unreadable: 'not readable',
  tooMany: 'more than maxFiles',
  binary: 'binary',
};

/** So many are named of each kind. */
const NAMED = 5;

/** Says in the log what of a folder is left out and why, unless it was `told` so before; gives what is told now. */
export function tellSkipped(skipped: Walked['skipped'], told: string, log: Logger): string {
  const kinds = (Object.keys(words) as SkipReason[]).flatMap((reason) => {
    const paths = skipped.filter((one) => one.reason === reason).map(({ path }) => path);
    if (paths.length === 0) return [];
    const more = paths.length > NAMED ? ', ..' : '';
    return [`${paths.length} ${words[reason]} (${paths.slice(0, NAMED).join(', ')}${more})`];
  });
  const message = kinds.join('; ');
  if (message === told || message === '') return message;
  // That ignored files are left out is what their owner wants.
  const level = skipped.some(({ reason }) => reason !== 'ignored') ? 'warn' : 'info';
  log[level]({ code: 'rag-skipped' }, `of the folder was left out: ${message}`);
  return message;
}
