export { RunAborted } from '../../loops/run-aborted.ts';
export type { HostRunner } from './host-types.ts';
export {
  type HookedRunner,
  type HooklineCallOptions,
  type WithHooksOptions,
  withHooks,
} from './with-hooks.ts';
