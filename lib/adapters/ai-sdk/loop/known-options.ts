import { checkUnknownFields, type KnownFields } from '../../../loops/known-fields.ts';

type Version = 5 | 6 | 7;
/** Names, with the versions of the SDK that have them. */
type Row = readonly [use: 'hooked' | 'passed', versions: readonly Version[], ...names: string[]];

const ALL: readonly Version[] = [5, 6, 7];
const OLD: readonly Version[] = [5, 6];
const LATE: readonly Version[] = [6, 7];
const NEW: readonly Version[] = [7];

const OF_BOTH: readonly Row[] = [
  ['hooked', ALL, 'model', 'tools', 'messages', 'prompt', 'stopWhen', 'abortSignal', 'maxRetries', 'prepareStep'],
  ['hooked', OLD, 'experimental_prepareStep'],
  ['hooked', NEW, 'toolApproval'],
  ['passed', ALL, 'onFinish', 'onStepFinish', 'experimental_repairToolCall', 'experimental_download'],
  ['passed', ALL, 'experimental_telemetry', 'experimental_context', '_internal'],
  ['passed', LATE, 'output'],
  ['passed', NEW, 'onStart', 'onStepStart', 'onLanguageModelCallStart', 'onLanguageModelCallEnd'],
  ['passed', NEW, 'onToolExecutionStart', 'onToolExecutionEnd', 'onStepEnd', 'onStepError', 'onEnd'],
  ['passed', NEW, 'repairToolCall', 'experimental_refineToolInput', 'telemetry', 'runtimeContext', 'toolsContext'],
  ['passed', NEW, 'experimental_sandbox', 'experimental_steering'],
];

/** The known options, by place. Later versions of the SDK may add options. */
export const knownOptions = {
  'a call': [
    ...OF_BOTH,
    ['passed', ALL, 'experimental_transform', 'onChunk', 'onError', 'onAbort'],
    ['passed', OLD, 'experimental_output'],
    ['passed', LATE, 'experimental_onStart', 'experimental_onStepStart'],
    ['passed', LATE, 'experimental_onToolCallStart', 'experimental_onToolCallFinish'],
    ['passed', NEW, 'experimental_onLanguageModelCallStart', 'experimental_onLanguageModelCallEnd'],
  ],
  'settings of an agent': [
    ...OF_BOTH,
    ['passed', LATE, 'callOptionsSchema'],
    ['passed', NEW, 'experimental_onStart', 'experimental_onStepStart'],
    ['passed', LATE, 'onError', 'onAbort', 'onChunk'],
  ],
  'a call of an agent': [
    ['hooked', LATE, 'messages', 'prompt', 'abortSignal'],
    ['passed', LATE, 'options', 'timeout', 'onStepFinish', 'experimental_transform'],
    ['passed', NEW, 'onStart', 'onStepStart', 'onToolExecutionStart', 'onToolExecutionEnd'],
    ['passed', NEW, 'onStepEnd', 'onEnd', 'onFinish', 'experimental_sandbox', 'experimental_steering'],
    ['passed', NEW, 'experimental_onStart', 'experimental_onStepStart'],
    ['passed', NEW, 'experimental_onToolCallStart', 'experimental_onToolCallFinish'],
  ],
  'what prepareStep returns': [
    ['hooked', ALL, 'model', 'messages'],
    ['passed', ALL, 'experimental_context'],
    ['passed', NEW, 'runtimeContext', 'toolsContext', 'experimental_sandbox'],
  ],
  'a tool': [
    ['hooked', ALL, 'execute', 'description', 'inputSchema'],
    ['hooked', LATE, 'needsApproval'],
    ['passed', ALL, 'outputSchema', 'toModelOutput', 'onInputStart', 'onInputDelta', 'onInputAvailable'],
    ['passed', NEW, 'contextSchema'],
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;

export type OptionsPlace = keyof typeof knownOptions;

const AT_CALL = 'the hooks wrap the model and tools of the settings; create another agent';
/** Options that could run a model or a tool without the hooks, by place. */
export const refusedOptions: { readonly [P in OptionsPlace]?: Readonly<Record<string, string>> } = {
  'settings of an agent': {
    prepareCall: 'it can replace the model and the tools, which bypasses the hooks; use prepareStep instead',
  },
  'a call of an agent': {
    ...{ model: AT_CALL, tools: AT_CALL, prepareStep: AT_CALL, stopWhen: AT_CALL, toolApproval: AT_CALL },
  },
  'a tool': {
    experimental_toolCaller: 'the SDK adds tools to it that bypass the hooks; pass those tools directly',
  },
};

/** Returns why options are rejected, or `undefined`. */
export function checkKnownOptions(place: OptionsPlace, version: Version, given: object): string | undefined {
  return checkUnknownFields(given, knownIn(place, version));
}

const known = new Map<string, KnownFields>();

function knownIn(place: OptionsPlace, version: Version): KnownFields {
  const key = `${version} ${place}`;
  const found = known.get(key) ?? fieldsOf(place, version);
  known.set(key, found);
  return found;
}

function fieldsOf(place: OptionsPlace, version: Version): KnownFields {
  const rows: readonly Row[] = knownOptions[place];
  const named = (wanted: Row[0]): readonly string[] =>
    rows.flatMap(([use, versions, ...names]) => (use === wanted && versions.includes(version) ? names : []));
  const refused = refusedOptions[place];
  return { hooked: named('hooked'), passed: named('passed'), ...(refused && { refused }) };
}
