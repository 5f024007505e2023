import { resolve } from 'node:path';
import { type CompiledConfig, identityOf } from '../compile-config.ts';
import { type LoadedConfig, type LoadOptions, unloadedConfig } from '../load-config.ts';
import { reservedNameIssues } from '../merge/reserved-names.ts';
import { fileState } from './file-state.ts';

/** The content of the files as a text to compare, and the state of each file that hooks are created from. */
export interface LoadedLook extends LoadedConfig {
  /** The same text before the modules of kinds were loaded. */
  readonly seen: string;
  readonly identity: string;
  readonly states: ReadonlyMap<string, string>;
}

/** The same before the modules of kinds are loaded. */
export interface Look extends Omit<LoadedLook, 'identity'> {
  load(): Promise<LoadedLook>;
}

/** Returns the current state of everything that hooks are created from. `taken` are names of hooks of the host. */
export function lookAt(files: readonly string[], options: LoadOptions, taken: readonly string[]): Look {
  const { load, ...unloaded } = unloadedConfig(files, options);
  const seen = textOf(unloaded.config);
  return {
    ...checked(unloaded),
    seen,
    async load() {
      const loaded = await load();
      return { ...checked(loaded), seen, identity: textOf(loaded.config) };
    },
  };

  function checked(config: LoadedConfig): LoadedConfig & Pick<LoadedLook, 'states'> {
    const issues = config.issues.length > 0 ? config.issues : [...reservedNameIssues(config.config.hooks, taken)];
    return { ...config, issues, states: statesOf(files, config.config) };
  }
}

function textOf({ written, hooks, settings }: CompiledConfig): string {
  return JSON.stringify([written, hooks.map(identityOf), settings]);
}

function statesOf(files: readonly string[], { hooks }: CompiledConfig): ReadonlyMap<string, string> {
  const made = hooks.flatMap((hook) => hook.files);
  return new Map([...files, ...made].map((file) => [resolve(file), fileState(resolve(file))]));
}
