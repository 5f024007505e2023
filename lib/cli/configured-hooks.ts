import { createLiveHooks, type HookHost, type LiveHooks } from '../config/index.ts';
import { loadConfig } from '../config/load-config.ts';
import { auditLog, type DangerousConfirmationOptions, dangerousConfirmation } from '../hooks/index.ts';
import type { Hook } from '../pipeline/hook.ts';
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
  const { config: read } = loadConfig(config);
  const said = new Set(read.hooks.map(({ kind }) => kind.name));
  const usual: Hook[] = [
    ...(said.has('audit-log') ? [] : [auditLog(parts.audit === undefined ? {} : { file: parts.audit })]),
    ...(said.has('dangerous-confirmation') ? [] : [dangerousConfirmation({ ask: parts.ask ?? 'suspend' })]),
  ];
  return createLiveHooks({
    files: config,
    hooks: [...usual, ...(await loadHooks(hooks))],
    host: {
      log: parts.log,
      options: parts.ask === undefined ? lookOnly : { 'dangerous-confirmation': { ask: parts.ask } },
    },
    ...(parts.pipeline && { pipeline: parts.pipeline }),
  });
}
