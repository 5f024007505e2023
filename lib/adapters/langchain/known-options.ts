import type { KnownMembers } from '../../loops/known-members.ts';

/** What is known of LangChain 1, by where it stands. A next version may have more. */
export const knownOptions = {
  'an agent': {
    hooked: ['model', 'tools', 'middleware', 'responseFormat'],
    passed: [
      ...['systemPrompt', 'stateSchema', 'contextSchema', 'checkpointer', 'store', 'signal', 'streamTransformers'],
    ],
  },
  'a middleware': {
    hooked: ['tools', 'wrapModelCall', 'wrapToolCall'],
    passed: [
      ...['stateSchema', 'contextSchema', 'streamTransformers'],
      ...['beforeAgent', 'beforeModel', 'afterModel', 'afterAgent'],
    ],
  },
  'the configuration of a run': {
    hooked: ['signal', 'configurable'],
    passed: [
      ...['callbacks', 'store', 'cache', 'context', 'writer', 'interrupt', 'heartbeat', 'control', 'transformers'],
      ...['metadata', 'executionInfo', 'serverInfo', 'config', 'state', 'toolCall', 'onYield'],
    ],
  },
} as const satisfies Readonly<Record<string, KnownMembers>>;
