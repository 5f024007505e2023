export { type ProcessHookOptions, processHookOptionsSchema } from './picoclaw/options.ts';
export { type ProcessHook, processHook } from './picoclaw/process-hook.ts';
