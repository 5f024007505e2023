export { RunAborted } from '../../loops/run-aborted.ts';
export { type HooklinePlugin, hookline } from './hookline.ts';
export type { HooklineOptions } from './hookline-options.ts';
export type { HostStrands } from './strands-module.ts';
