export { RunAborted } from '../../loops/run-aborted.ts';
export { type HooklineOptions, type HooklinePlugin, hookline } from './hookline.ts';
export type { HostStrands } from './host-strands.ts';
