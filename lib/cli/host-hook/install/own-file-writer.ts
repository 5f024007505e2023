import { join } from 'node:path';
import { HooklineError } from '../../../errors.ts';
import type { DialectName } from '../dialects/dialect-names.ts';
import { userFolder } from '../host-settings.ts';
import type { HostWriter, InstalledHook, InstallFlags } from './host-writer.ts';

/** A host that reads each file of a folder, so that hookline has a file of its own there. */
export interface OwnFileHost {
  readonly host: DialectName;
  /** Relative to the folder of the host. */
  readonly user: string;
  /** Relative to the project. */
  readonly project: string;
  readonly byHand: readonly string[];
  text(flags: InstallFlags): string;
  /** Reads the command from the file. It may throw. */
  commandOf(text: string): InstalledHook['command'] | undefined;
}

export function ownFileWriter({ host, user, project, byHand, text, commandOf }: OwnFileHost): HostWriter {
  function installed(old: string): InstalledHook | undefined {
    try {
      const command = commandOf(old);
      const words = typeof command === 'string' ? command : command?.join(' ');
      return command !== undefined && words?.includes(`--as ${host}`) ? { command } : undefined;
    } catch {
      return undefined;
    }
  }

  function checkOurs(old: string, file: string): void {
    if (old.trim() === '' || installed(old)) return;
    throw new HooklineError(
      'INPUT_INVALID',
      `${file} is not a file of hookline, and was not changed. Rename it, then try again.`,
    );
  }

  return {
    byHand,
    file: (scope) => (scope === 'user' ? join(userFolder(host), user) : join(process.cwd(), project)),
    add(old, file, flags) {
      if (old !== undefined) checkOurs(old, file);
      return text(flags);
    },
    remove(old, file) {
      checkOurs(old, file);
      return undefined;
    },
    installed,
  };
}
