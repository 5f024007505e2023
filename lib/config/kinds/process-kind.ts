import { resolve } from 'node:path';
import { type ProcessHookOptions, processHook, processHookOptionsSchema } from '../../process-hooks/index.ts';
import type { HookEntry } from '../native-schema.ts';
import { applyEntry } from './apply-entry.ts';
import { changesWeaken, type HookKind } from './hook-kind.ts';

/** Created when a file has such a hook. The modules of most files need not be loaded. */
let optionsSchema: HookKind['optionsSchema'] | undefined;

/** A PicoClaw process hook, or one of protocol 2. */
export const processKind: HookKind = {
  name: 'process',
  description: 'Runs a hook in a separate process, over JSON-RPC on stdio.',
  origin: 'file',
  get optionsSchema() {
    optionsSchema ??= processHookOptionsSchema.omit({
      name: true,
      priority: true,
      match: true,
      onFailure: true,
      message: true,
      log: true,
      scheduler: true,
    });
    return optionsSchema;
  },
  example: { command: ['node', 'guard.js'], intercept: ['approve_tool'] },
  approves: (entry) => judged(entry).length > 0,
  failsOpen: true,
  weakens: (before, after) =>
    loses(before, after, 'intercept') ||
    loses(before, after, 'observe') ||
    changesWeaken(...withoutQuestions(before, after)),
  anchor: (options, folder) => ({ ...options, dir: resolve(folder, String(options['dir'] ?? '.')) }),
  unused: ({ timeoutMs, options }) =>
    timeoutMs === undefined
      ? []
      : Object.keys(timeoutsOf(options))
          .filter((one) => one in questions(timeoutMs))
          .map((one) => ({ path: ['timeouts', one], overriddenBy: 'timeoutMs' as const })),
  make({ name, entry, defaults, host }) {
    const { priority, match, onFailure, timeoutMs, phase, options = {} } = entry;
    // A hook that fails never releases chunks.
    const maySkip = ![options['chunks'] ?? []].flat().length;
    const policy = onFailure ?? (defaults.onFailure === 'skip' && !maySkip ? undefined : defaults.onFailure);
    const hook = processHook({
      ...(options as unknown as ProcessHookOptions),
      name,
      ...(priority !== undefined && { priority }),
      ...(match && { match: match as NonNullable<ProcessHookOptions['match']> }),
      ...(policy && { onFailure: policy }),
      timeouts: { ...questions(defaults.timeoutMs), ...timeoutsOf(options), ...questions(timeoutMs) },
      ...(host.log && { log: host.log }),
    });
    const bound = phase ? applyEntry(hook, name, { phase }) : hook;
    return { hooks: [bound], close: () => hook.stop() };
  },
};

/** Returns the timeouts of the requests to a process. */
function questions(ms: number | undefined): NonNullable<ProcessHookOptions['timeouts']> {
  return ms === undefined ? {} : { interceptorMs: ms, approvalMs: ms };
}

function timeoutsOf(options: HookEntry['options'] = {}): NonNullable<ProcessHookOptions['timeouts']> {
  return (options['timeouts'] ?? {}) as NonNullable<ProcessHookOptions['timeouts']>;
}

/** Returns the options without the requests and notifications of the process. */
function withoutQuestions(...entries: [HookEntry, HookEntry]): [HookEntry, HookEntry] {
  return entries.map(({ options: { intercept, observe, ...options } = {} }) => ({ options })) as [HookEntry, HookEntry];
}

/** The options by which a process can deny calls. */
function judged({ options }: HookEntry): readonly unknown[] {
  const intercept = options?.['intercept'];
  return ['approve_tool', 'before_tool'].filter((one) => Array.isArray(intercept) && intercept.includes(one));
}

/** Returns whether a process receives fewer requests or notifications than before. */
function loses({ options: was }: HookEntry, { options: now }: HookEntry, list: 'intercept' | 'observe'): boolean {
  const [before, after] = [was?.[list] ?? [], now?.[list] ?? []];
  if (Array.isArray(before) && Array.isArray(after)) return before.some((one) => !after.includes(one));
  return JSON.stringify(before) !== JSON.stringify(after);
}
