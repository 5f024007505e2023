import type { KnownFields } from '../../loops/known-fields.ts';

const IN_RUN = 'the hooks wrap those of the agent and the runner';

/** The known options of OpenAI Agents 0.x, by place. Later versions may add options. */
export const knownOptions = {
  'a run': {
    hooked: ['signal', 'stream'],
    passed: [
      ...['context', 'session', 'sessionInputCallback', 'callModelInputFilter', 'outputGuardrailBlockedMessage'],
      ...['errorHandlers', 'sandbox', 'toolErrorFormatter', 'toolExecution', 'tracing'],
    ],
    refused: { model: IN_RUN, modelProvider: IN_RUN, tools: IN_RUN, mcpServers: IN_RUN },
  },
  'a runner': {
    hooked: ['model', 'modelProvider', 'modelSettings'],
    passed: [
      ...['handoffInputFilter', 'inputGuardrails', 'outputGuardrails', 'sessionInputCallback', 'callModelInputFilter'],
      ...['outputGuardrailBlockedMessage', 'sandbox', 'toolErrorFormatter', 'toolExecution', 'tracing'],
      'traceMetadata',
    ],
  },
} as const satisfies Readonly<Record<string, KnownFields>>;
