import type { Scope } from '../../client-settings.ts';
import type { DialectName } from '../dialects/dialect-names.ts';
import type { HostHookFlags } from '../host-hook-flags.ts';
import type { HttpFlags } from '../listen/serve-http.ts';

/** Options of the command that were set. */
export interface InstallFlags extends HostHookFlags {
  readonly as: DialectName | 'picoclaw';
  /** True if `timeout` is the default of its host. */
  readonly usualTimeout: boolean;
  readonly daemon?: boolean;
  readonly listen?: HttpFlags['listen'];
  readonly tokenEnv?: string;
}

/** Writes the hooks of Hookline into the settings of a host. Settings that it cannot keep whole are `INPUT_INVALID`. */
export interface HostWriter {
  /** Returns the absolute path of the settings. */
  file(scope: Scope): string;
  /** Returns the settings with our hooks, which replace older ones of ours. `undefined`: there is no file. */
  add(old: string | undefined, file: string, flags: InstallFlags): string;
  /** Returns the settings without our hooks; `undefined` if nothing else is in the file. */
  remove(old: string, file: string): string | undefined;
  /** Returns the installed hook that evaluates calls before they run; `undefined` if there is none. */
  installed(text: string, file: string): InstalledHook | undefined;
  /** What a person must do after the installation. */
  readonly byHand: readonly string[];
}

/** A hook in the settings of a host. */
export interface InstalledHook {
  /** A line for the shell, or a program with its arguments. */
  readonly command: string | readonly string[];
  /** The positions of its group and of itself. */
  readonly at?: readonly [group: number, handler: number];
}

// Our timeout ends first, because many hosts continue if a hook takes too long.
export const hostTimeout = ({ timeout }: Pick<InstallFlags, 'timeout'>): number => timeout + 5;
