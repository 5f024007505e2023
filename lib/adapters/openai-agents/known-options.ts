import { faultOfUnknown, type KnownMembers } from '../../loops/known-members.ts';

/** What is known of the options of OpenAI Agents 0.x, by where they stand. A next version may have more. */
export const knownOptions = {
  'a run': {
    hooked: ['signal', 'stream'],
    passed: [
      ...['context', 'session', 'sessionInputCallback', 'callModelInputFilter', 'outputGuardrailBlockedMessage'],
      ...['errorHandlers', 'sandbox', 'toolErrorFormatter', 'toolExecution', 'tracing'],
    ],
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

const IN_RUN = 'the hooks are around those of the agent and the runner';
/** What would be asked or run past the hooks, whatever it holds. */
export const refusedOptions: { readonly [P in keyof typeof knownOptions]?: Readonly<Record<string, string>> } = {
  'a run': { model: IN_RUN, modelProvider: IN_RUN, tools: IN_RUN, mcpServers: IN_RUN },
};

/** Why what is given there is not taken, if so. */
export function faultOfOptions(place: keyof typeof knownOptions, given: object): string | undefined {
  const refused = refusedOptions[place];
  return faultOfUnknown(given, { ...knownOptions[place], ...(refused && { refused }) });
}
