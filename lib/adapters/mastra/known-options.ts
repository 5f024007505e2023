import type { KnownFields } from '../../loops/known-fields.ts';

/** The known options of Mastra 1, by place. Later versions may add options. */
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
      toolsets: 'they bypass the hooks; pass the tools to hookedMastra',
      model: 'it bypasses the hooks; pass it to hookedMastra',
      prepareStep:
        'it can replace the model and the tools of a step, which bypasses the hooks; use a preReasoning hook instead',
    },
  },
} as const satisfies Readonly<Record<string, KnownFields>>;
