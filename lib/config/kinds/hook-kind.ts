import type { z } from 'zod';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { HookHost as CatalogueHost } from '../../hooks/hook-host.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { Logger } from '../../pipeline/logger.ts';
import type { Confirm } from '../../process-hooks/index.ts';
import type { HookEntry, NativeConfig } from '../native-schema.ts';

/** The services that a host provides to configured hooks. */
export interface HookHost extends CatalogueHost {
  readonly log?: Logger | undefined;
  /** Options, by kind, that the host sets itself, such as the approver. */
  readonly options?: Readonly<Record<string, object>>;
  /** Answers the approval prompts of command hooks. Default: the run is suspended. */
  readonly confirm?: Confirm;
  /** The folder of the tools. Scripts without a `cwd` option run there. Default: the working directory of the host. */
  readonly workspace?: string | undefined;
}

/** A hook to create: its entry with variables substituted and paths resolved. */
export interface HookSetting {
  readonly name: string;
  readonly entry: HookEntry;
  /** The folder of the configuration file. */
  readonly folder: string;
  /** The `defaults` of the configuration, for hooks that do not set these fields. */
  readonly defaults: NonNullable<NativeConfig['defaults']>;
  readonly host: HookHost;
}

/** Created hooks, and the function that ends them when they are no longer in use. */
export interface MadeHooks {
  readonly hooks: readonly Hook[];
  close?(): Promise<void>;
  /** Returns the reason if these hooks reject a change of the configuration. Called while they are in force. */
  mayChange?(change: ConfigEdit): Promise<string | undefined>;
}

/** A pending change of the configuration. */
export interface ConfigEdit {
  /** The changed file. If several changed, the first one. */
  readonly file: string;
  /** Aborts when the caller no longer waits for an answer. */
  readonly signal: AbortSignal;
}

/** An option that has no effect. */
export interface UnusedOption {
  readonly path: readonly string[];
  readonly overriddenBy: keyof HookEntry;
}

/** A hook kind, which a configuration selects by `type`. */
export interface HookKind {
  readonly name: string;
  readonly description: string;
  /** `file`: runs code or commands. Such hooks are accepted in files only, never over HTTP. */
  readonly origin: 'builtin' | 'custom' | 'file';
  readonly optionsSchema: z.ZodType;
  readonly example?: object | undefined;
  /** Whether an agent can have only one hook of this kind. */
  readonly onePerAgent?: boolean;
  /** Whether the hook may deny calls. Later files cannot remove such a hook. */
  approves(entry: HookEntry): boolean;
  /** Returns whether the changed options may make the hook deny, hold back or record less. If a kind cannot decide, any change counts (`changesWeaken`). */
  weakens(before: HookEntry, after: HookEntry): boolean;
  /** Whether calls proceed by default if a hook of this kind fails. Default: no. */
  readonly failsOpen?: boolean;
  /** Returns the options with relative paths resolved against `folder`. */
  anchor(options: JsonObject, folder: string): JsonObject;
  /** Returns options, as paths, that a field of the entry overrides, with that field. */
  unused?(entry: HookEntry): readonly UnusedOption[];
  /** Options without effect, which `check` reports. The hook logs them itself when it is created. */
  notices?(entry: HookEntry): readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  /** The files, other than the configuration, that the hook is created from. */
  files?(entry: HookEntry, folder: string): readonly string[];
  make(setting: HookSetting): MadeHooks | Promise<MadeHooks>;
}

/** Treats any change of the options as weakening. For kinds that cannot compare their options. */
export function changesWeaken(before: HookEntry, after: HookEntry): boolean {
  return JSON.stringify(before.options ?? {}) !== JSON.stringify(after.options ?? {});
}
