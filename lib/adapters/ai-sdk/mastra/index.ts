export { RunAborted } from '../../../loops/run-aborted.ts';
export { type HookedMastra, hookedMastra } from './hooked-mastra.ts';
export type { HookedMastraCallOptions, HookedMastraOptions } from './hooked-mastra-options.ts';
export type { MastraAgent, MastraTool, MastraTools } from './host-mastra.ts';
