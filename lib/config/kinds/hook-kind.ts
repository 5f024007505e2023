import type { Logger } from 'pino';
import type { z } from 'zod';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { HookHost as CatalogueHost } from '../../hooks/hook-host.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { Confirm } from '../../process-hooks/index.ts';
import type { HookEntry, NativeConfig } from '../native-schema.ts';

/** What the host of configured hooks gives them. */
export interface HookHost extends CatalogueHost {
  readonly log?: Logger | undefined;
  /** Options, by kind, that the host decides itself: who is asked, say. */
  readonly options?: Readonly<Record<string, object>>;
  /** Answers a command hook that wants somebody asked. Default: the run is suspended. */
  readonly confirm?: Confirm;
  /** The folder that the tools work in, and where scripts run whose options name no cwd. Default: the working directory of the host. */
  readonly workspace?: string | undefined;
}

/** A hook that is to be made: its entry with variables filled in and paths that lead somewhere. */
export interface HookSetting {
  readonly name: string;
  readonly entry: HookEntry;
  /** The folder of the file that it stands in. */
  readonly folder: string;
  /** What the whole configuration says for hooks that do not say it themselves. */
  readonly defaults: NonNullable<NativeConfig['defaults']>;
  readonly host: HookHost;
}

/** Hooks that were made, and what is to be ended when nobody uses them any more. */
export interface MadeHooks {
  readonly hooks: readonly Hook[];
  close?(): Promise<void>;
  /** Why the configuration may not change, if these hooks are against it; asked while they are in force. */
  mayChange?(change: ConfigEdit): Promise<string | undefined>;
}

/** A configuration that is about to change. */
export interface ConfigEdit {
  /** The file that has changed; of several, the first. */
  readonly file: string;
  /** Aborts when nobody waits for an answer any more. */
  readonly signal: AbortSignal;
}

/** An option that has no effect. */
export interface UnusedOption {
  readonly path: readonly string[];
  readonly beside: keyof HookEntry;
}

/** A `type` of a configuration. */
export interface HookKind {
  readonly name: string;
  readonly description: string;
  /** `file`: brings code or commands, so it may stand in a file only and is never taken over HTTP. */
  readonly origin: 'builtin' | 'custom' | 'file';
  readonly optionsSchema: z.ZodType;
  /** Options of a usual case. */
  readonly example?: object;
  /** Whether an agent can have one such hook only. */
  readonly onePerAgent?: boolean;
  /** Whether such a hook may refuse calls: it is not taken away by a file that comes later. */
  approves(entry: HookEntry): boolean;
  /**
   * Whether other options may make such a hook refuse less, hold less back or record less. Where a kind cannot tell, any change does
   * (`changesWeaken`).
   */
  weakens(before: HookEntry, after: HookEntry): boolean;
  /** Whether a failure of such a hook lets calls pass unless something else was said. Default: no. */
  readonly failsOpen?: boolean;
  /** The options with paths that lead somewhere from anywhere: relative ones begin at `folder`. */
  anchor(options: JsonObject, folder: string): JsonObject;
  /** Options, as paths, that the entry itself goes before, with the member of it that does. */
  unused?(entry: HookEntry): readonly UnusedOption[];
  /** What, within the options, will have no effect; told by `check`. The hook itself logs it when it is made. */
  notices?(entry: HookEntry): readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  /** The files, beside its configuration, that such a hook is made from. */
  files?(entry: HookEntry, folder: string): readonly string[];
  make(setting: HookSetting): MadeHooks | Promise<MadeHooks>;
}

/** For a kind that cannot tell which of its options matter: any change of them weakens. */
export function changesWeaken(before: HookEntry, after: HookEntry): boolean {
  return JSON.stringify(before.options ?? {}) !== JSON.stringify(after.options ?? {});
}
