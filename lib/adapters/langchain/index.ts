export { RunAborted } from '../../loops/run-aborted.ts';
export { type HostAgent, hookedAgent } from './hooked-agent.ts';
export { type HooklineOptions, hookline } from './hookline.ts';
export type { HostLangChain } from './host-langchain.ts';
