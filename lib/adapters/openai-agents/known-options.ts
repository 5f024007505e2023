import type { KnownMembers } from '../../loops/known-members.ts';

const IN_RUN = 'the hooks are around those of the agent and the runner';

/** What is known of the options of OpenAI Agents 0.x, by where they stand. A next version may have more. */
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
} as const satisfies Readonly<Record<string, KnownMembers>>;
