import { createLiveHooks, type HookHost, type LiveHooks } from '../config/index.ts';
import { auditLog, type DangerousConfirmationOptions, dangerousConfirmation } from '../hooks/index.ts';
import type { PipelineOptions } from '../pipeline/pipeline.ts';
import { loadHooks } from './load-hooks.ts';
import { lookOnly } from './look-only.ts';

/** What the command line says of hooks. */
export interface HookFlags {
  /** Configuration files. */
  readonly config: readonly string[];
  /** Modules, or names of built-in hooks. */
  readonly hooks: readonly string[];
}

/** What configured hooks are given. */
export interface HookParts {
  /** The file of the audit that is on by default; without it the log. */
  readonly audit?: string | undefined;
  /** How dangerous-confirmation asks; without it nobody is asked and no file is opened. */
  readonly ask?: NonNullable<DangerousConfirmationOptions['ask']>;
  readonly log?: HookHost['log'];
  readonly pipeline?: PipelineOptions;
}

/** The hooks of configuration files and modules; audit-log and dangerous-confirmation are there too, unless the files say themselves how. */
export async function configuredHooks({ config, hooks }: HookFlags, parts: HookParts): Promise<LiveHooks> {
  const audit = auditLog(parts.audit === undefined ? {} : { file: parts.audit });
  const confirmation = dangerousConfirmation({ ask: parts.ask ?? 'suspend' });
  const loaded = await loadHooks(hooks);
  return createLiveHooks({
    files: config,
    hooks({ hooks: said }) {
      const kinds = new Set(said.map(({ kind }) => kind.name));
      return [audit, confirmation].filter(({ name }) => !kinds.has(name)).concat(loaded);
    },
    host: {
      log: parts.log,
      options: parts.ask === undefined ? lookOnly : { 'dangerous-confirmation': { ask: parts.ask } },
    },
    ...(parts.pipeline && { pipeline: parts.pipeline }),
  });
}
