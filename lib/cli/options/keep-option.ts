import { InvalidArgumentError, Option } from 'commander';
import { readSize, readTime } from '../../config/amounts.ts';
import type { NativeConfig } from '../../config/index.ts';
import type { FileRunStoreOptions } from '../../server/index.ts';

/** Limits of stored runs that have ended. */
export type Keep = Pick<FileRunStoreOptions, 'keepMs' | 'keepBytes'>;

/** `--keep`: a time or a size. Both can be given. */
export function keepOption(): Option {
  const about = 'maximum age or size of ended runs: 30d, 2GB (repeatable; default: 30d and 1GB)';
  return new Option('--keep <limit>', about).argParser((text: string, before: Keep = {}): Keep => {
    const [keepMs, keepBytes] = [readTime(text), readSize(text)];
    if (keepMs !== undefined) return { ...before, keepMs };
    if (keepBytes !== undefined) return { ...before, keepBytes };
    throw new InvalidArgumentError('It must be a time such as 12h or 30d, or a size such as 500MB or 2GB.');
  });
}

/** Converts the same limits from a configuration. */
export function keptBy({ for: time, size }: NonNullable<NonNullable<NativeConfig['server']>['keep']> = {}): Keep {
  const [keepMs, keepBytes] = [time && readTime(time), size && readSize(size)];
  return { ...(keepMs && { keepMs }), ...(keepBytes && { keepBytes }) };
}
