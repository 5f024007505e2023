import { HooklineError } from '../../errors.ts';
import type { ConfigPath, Place, Source } from '../source/source.ts';

/** One thing that is wrong with a configuration. */
export interface ConfigFault extends Place {
  readonly file: string;
  readonly path: ConfigPath;
  /** What was seen, what was expected and what to do; never a secret. */
  readonly message: string;
}

/** Something that has another effect than its writer may think, and is no fault. */
export type ConfigNotice = ConfigFault;

/** A fault of what stands at `path` in a source. */
export function faultAt(source: Source, path: ConfigPath, message: string, part?: 'key' | 'value'): ConfigFault {
  return { file: source.file, ...source.placeOf(path, part), path, message };
}

/** A fault in one line: `file:line:col path: message`. What is always on is in no file, and has no line. */
export function showFault({ file, line, column, path, message }: ConfigFault): string {
  return `${line > 0 ? `${file}:${line}:${column}` : file} ${showPath(path)}: ${message}`;
}

/** Of a path that is shown: who nests deeper than that wants to break something. */
const MOST_PARTS = 40;

/** A path as it would be written in code: `hooks.audit.options["x y"][0]`; `(top level)` where it is empty. */
export function showPath(path: ConfigPath): string {
  if (path.length === 0) return '(top level)';
  if (path.length > MOST_PARTS) return `${showPath(path.slice(0, MOST_PARTS))}…`;
  return path.map(String).reduce((shown, part, index) => {
    if (typeof path[index] === 'number') return `${shown}[${part}]`;
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part)) return `${shown}[${JSON.stringify(part)}]`;
    return shown === '' ? part : `${shown}.${part}`;
  }, '');
}

/** Faults that are told one by one; of the others only the number is. */
export const MOST_FAULTS = 50;

/** The first faults, one a line, and how many more there are. */
export function showFaults(faults: readonly ConfigFault[], show: (fault: ConfigFault) => string = showFault): string[] {
  const more = faults.length - MOST_FAULTS;
  return [...faults.slice(0, MOST_FAULTS).map(show), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** The error that tells of faults, one a line; `cause` holds all of them as data. */
export function configError(faults: readonly ConfigFault[]): HooklineError {
  const lines = showFaults(faults);
  const message = lines.length === 1 ? String(lines[0]) : [`${faults.length} faults:`, ...lines].join('\n');
  return new HooklineError('CONFIG_INVALID', message, { cause: { faults } });
}

/** The faults that an error tells of: one of a configuration, or of a request. */
export function faultsOf(thrown: unknown): readonly ConfigFault[] | undefined {
  if (!(thrown instanceof HooklineError)) return undefined;
  return (thrown.cause as { faults?: readonly ConfigFault[] } | undefined)?.faults;
}
