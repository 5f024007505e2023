import { resolve } from 'node:path';
import { type ProcessHookOptions, processHook, processHookOptionsSchema } from '../../process-hooks/index.ts';
import type { HookEntry } from '../native-schema.ts';
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
  approves: (entry) => judged(entry).length > 0,
  weakens: (before, after) => judged(before).some((one) => !judged(after).includes(one)),
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

/** What a process may refuse calls by. */
function judged({ options }: HookEntry): readonly string[] {
  const intercept = options?.['intercept'];
  return ['approve_tool', 'before_tool'].filter((one) => Array.isArray(intercept) && intercept.includes(one));
}
