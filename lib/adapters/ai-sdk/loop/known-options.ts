import { faultOfUnknown, type KnownMembers } from '../../../loops/known-members.ts';

type Version = 5 | 6 | 7;
/** Names, for the versions of the SDK that have them. */
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

/** What is known, by where it stands. A next version of the SDK may have more. */
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

const AT_CALL = 'the hooks are around that of the settings; make another agent';
/** What would ask or run something past the hooks, by where it stands. */
export const refusedOptions: { readonly [P in OptionsPlace]?: Readonly<Record<string, string>> } = {
  'settings of an agent': {
    prepareCall: 'it may put another model and tools past the hooks; use prepareStep instead',
  },
  'a call of an agent': {
    ...{ model: AT_CALL, tools: AT_CALL, prepareStep: AT_CALL, stopWhen: AT_CALL, toolApproval: AT_CALL },
  },
  'a tool': {
    experimental_toolCaller: 'the SDK puts other tools into it behind the hooks; give those tools directly',
  },
};

/** Why what is given there is not taken, if so. */
export function faultOfOptions(place: OptionsPlace, version: Version, given: object): string | undefined {
  return faultOfUnknown(given, knownIn(place, version));
}

const known = new Map<string, KnownMembers>();

function knownIn(place: OptionsPlace, version: Version): KnownMembers {
  const key = `${version} ${place}`;
  const found = known.get(key) ?? membersOf(place, version);
  known.set(key, found);
  return found;
}

function membersOf(place: OptionsPlace, version: Version): KnownMembers {
  const rows: readonly Row[] = knownOptions[place];
  const named = (wanted: Row[0]): readonly string[] =>
    rows.flatMap(([use, versions, ...names]) => (use === wanted && versions.includes(version) ? names : []));
  const refused = refusedOptions[place];
  return { hooked: named('hooked'), passed: named('passed'), ...(refused && { refused }) };
}
