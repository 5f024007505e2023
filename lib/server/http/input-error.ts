import { type ConfigFault, showFaults, showPath } from '../../config/faults/fault.ts';
import { HooklineError } from '../../errors.ts';

/** The error that tells what is wrong with a request, all of it; `cause` holds the faults as data. */
export function inputError(faults: readonly ConfigFault[]): HooklineError {
  const lines = showFaults(faults, ({ file, path, message }) => `${file} ${showPath(path)}: ${message}`);
  const message = lines.length === 1 ? String(lines[0]) : [`${faults.length} faults:`, ...lines].join('\n');
  return new HooklineError('INPUT_INVALID', message, { cause: { faults } });
}
