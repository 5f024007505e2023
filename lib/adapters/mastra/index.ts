export { RunAborted } from '../../loops/run-aborted.ts';
export { type HookedMastra, hookedMastra } from './hooked-mastra.ts';
export { forCall, type HookedMastraCallOptions, type HookedMastraOptions } from './hooked-mastra-options.ts';
export type { MastraAgent, MastraTool, MastraTools } from './host-mastra.ts';
