import { resolve } from 'node:path';
import { type ProcessHookOptions, processHook, processHookOptionsSchema } from '../../process-hooks/index.ts';
import { applyEntry } from './apply-entry.ts';
import type { HookKind } from './hook-kind.ts';

/** A PicoClaw process hook, or one of protocol 2. */
export const processKind: HookKind = {
  name: 'process',
  description: 'A hook in a process of its own, spoken to by JSON-RPC over its pipes.',
  origin: 'file',
  optionsSchema: processHookOptionsSchema.omit({
    name: true,
    priority: true,
    match: true,
    failure: true,
    message: true,
    log: true,
    scheduler: true,
  }),
  approves: ({ options }) => {
    const intercept = options?.['intercept'];
    return Array.isArray(intercept) && (intercept.includes('approve_tool') || intercept.includes('before_tool'));
  },
  anchor: (options, folder) => ({ ...options, dir: resolve(folder, String(options['dir'] ?? '.')) }),
  make({ name, entry, host }) {
    const { priority, match, failure, timeoutMs, phase, options = {} } = entry;
    const timeouts = options['timeouts'] as ProcessHookOptions['timeouts'];
    const hook = processHook({
      ...(options as unknown as ProcessHookOptions),
      name,
      ...(priority !== undefined && { priority }),
      ...(match && { match: match as NonNullable<ProcessHookOptions['match']> }),
      ...(failure && { failure }),
      ...(timeoutMs !== undefined && { timeouts: { interceptorMs: timeoutMs, approvalMs: timeoutMs, ...timeouts } }),
      ...(host.log && { log: host.log }),
    });
    const bound = phase ? applyEntry(hook, name, { phase }) : hook;
    return { hooks: [bound], close: () => hook.stop() };
  },
};
