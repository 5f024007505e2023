import type { KnownFields } from '../../loops/known-fields.ts';

/** The known options of LangChain 1, by place. Later versions may add options. */
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
} as const satisfies Readonly<Record<string, KnownFields>>;
