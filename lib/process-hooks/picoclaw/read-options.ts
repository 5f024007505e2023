import { parseOptions } from '../../errors/parse-options.ts';
import { HooklineError } from '../../errors.ts';
import {
  type Intercept,
  type ProcessHookOptions,
  type ProcessHookSettings,
  processHookOptionsSchema,
} from './options.ts';

/** Validates the options of `processHook`, separately and together. */
export function readOptions(options: ProcessHookOptions): ProcessHookSettings {
  const name = (options as { name?: unknown } | undefined)?.name;
  return together(parseOptions(`Process hook ${JSON.stringify(name) ?? ''}`, processHookOptionsSchema, options));
}

/** Returns the modes for `hook.hello`, in the order of the original. */
export function modesOf({ observe, intercept, chunks }: ProcessHookSettings): string[] {
  const asks = (...names: Intercept[]) => names.some((one) => intercept.includes(one));
  return [
    ...(observe.length > 0 ? ['observe'] : []),
    ...(asks('before_llm', 'after_llm') ? ['llm'] : []),
    ...(asks('before_tool', 'after_tool') ? ['tool'] : []),
    ...(asks('approve_tool') ? ['approve'] : []),
    ...(chunks.length > 0 ? ['chunks'] : []),
  ];
}

function together(settings: ProcessHookSettings): ProcessHookSettings {
  if (modesOf(settings).length === 0)
    throw new HooklineError(
      'OPTIONS_INVALID',
      `Process hook "${settings.name}": no hook modes enabled; set observe, intercept or chunks.`,
    );
  if (settings.chunks.length > 0 && settings.onFailure === 'skip')
    throw new HooklineError(
      'OPTIONS_INVALID',
      `Process hook "${settings.name}": onFailure "skip" is not allowed with chunks, because a failed hook would let raw chunks pass. Remove onFailure, or use a second hook for chunks.`,
    );
  return settings;
}
