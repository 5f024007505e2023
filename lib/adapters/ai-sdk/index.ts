export { RunAborted } from '../../loops/run-aborted.ts';
export type { MediaStore } from '../../pipeline/run/run.ts';
export { type AiSdkModelOptions, aiSdkModel } from './ai-sdk-model.ts';
export type { LanguageModel } from './language-model.ts';
export { forCall, type HookedAi, type HooklineCallOptions } from './loop/hooked-ai.ts';
export type { HostAi } from './loop/host-ai.ts';
export { type WithHooksOptions, withHooks } from './loop/with-hooks.ts';
export type { ModelChoices } from './select-model.ts';
