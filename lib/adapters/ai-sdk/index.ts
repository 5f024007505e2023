export { type AiSdkModelOptions, aiSdkModel } from './ai-sdk-model.ts';
export type { LanguageModel } from './language-model.ts';
export type { MediaStore } from './media-store.ts';
export type { ModelChoices } from './select-model.ts';
