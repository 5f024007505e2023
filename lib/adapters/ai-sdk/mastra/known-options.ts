import type { KnownMembers } from '../../../loops/known-members.ts';

/** What is known of the options of Mastra 1, by where they stand. A next version may have more. */
export const knownOptions = {
  'a call': {
    hooked: [
      'abortSignal',
      'clientTools',
      'hooks',
      'inputProcessors',
      'requestContext',
      'stopWhen',
      'structuredOutput',
    ],
    passed: [
      ...['onStepFinish', 'onFinish', 'onChunk', 'onError', 'onAbort', 'onIterationComplete', 'delegation'],
      ...['outputProcessors', 'errorProcessors', 'scorers', 'isTaskComplete', 'requireToolApproval'],
      ...['memory', 'serverless', 'actor', 'mcp', 'transform', 'experimentalTransform'],
      ...['loggerVNext', 'metrics', 'tracing', 'tracingContext'],
    ],
    refused: {
      toolsets: 'they run past the hooks; give the tools to hookedMastra',
      model: 'it is asked past the hooks; give it to hookedMastra',
      prepareStep: 'it may give a step a model and tools past the hooks; use a hook of preReasoning instead',
    },
  },
} as const satisfies Readonly<Record<string, KnownMembers>>;
