export type { MediaStore } from '../../pipeline/run/run.ts';
export { type AiSdkModelOptions, aiSdkModel } from './ai-sdk-model.ts';
export type { LanguageModel } from './language-model.ts';
export type { ModelChoices } from './select-model.ts';
