/** The names of the GenAI conventions. They are experimental and change between releases, so they are copied here. */
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  agent: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  firstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  systemInstructions: 'gen_ai.system_instructions',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolDefinitions: 'gen_ai.tool.definitions',
  toolName: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  toolType: 'gen_ai.tool.type',
  toolDescription: 'gen_ai.tool.description',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
} as const;

/** The conventions have nothing for hooks and approvals, and forbid to call them guardrails. */
export const OWN = {
  run: 'hookline.run.id',
  resumedFrom: 'hookline.run.resumed_from',
  runOutcome: 'hookline.run.outcome',
  toolOutcome: 'hookline.tool.outcome',
  toolDecision: 'hookline.tool.decision',
  decision: 'hookline.decision',
  decisionBy: 'hookline.decision.by',
  decisionSource: 'hookline.decision.source',
  decisionReason: 'hookline.decision.reason',
  iteration: 'hookline.iteration',
  stage: 'hookline.stage',
  handler: 'hookline.handler.name',
  priority: 'hookline.handler.priority',
  outcome: 'hookline.outcome',
  changedPaths: 'hookline.changed_paths',
  approval: 'hookline.approval.id',
  approvalOutcome: 'hookline.approval.outcome',
  approvalSource: 'hookline.approval.source',
} as const;

export const ERROR_TYPE = 'error.type';

/** The value of `error.type` if the error has no usable name. */
export const OTHER_ERROR = '_OTHER';

/** The profiles of names: the last release of the general conventions, and the draft of the conventions for GenAI. */
export const semconvProfiles = ['v1.41', 'latest'] as const;

/** A profile of names. */
export type SemconvProfile = (typeof semconvProfiles)[number];

/** Returns the profile that the environment selects. */
export function profileOfEnvironment(): SemconvProfile {
  const optIn = globalThis.process?.env?.['OTEL_SEMCONV_STABILITY_OPT_IN'] ?? '';
  return optIn.split(',').some((one) => one.trim() === 'gen_ai_latest_experimental') ? 'latest' : 'v1.41';
}
