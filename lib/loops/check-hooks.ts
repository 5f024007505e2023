import { checkFields } from '../errors/check-fields.ts';
import { HooklineError } from '../errors.ts';
import { isObject } from '../events/values/is-object.ts';

/** The settings of a run that all integrations accept, `agent` first. */
export const runSettings = [
  ...(['agent', 'sessionId', 'userId', 'metadata', 'deliver', 'mediaStore', 'transcript', 'onEvent'] as const),
  'pendingCalls',
  'runs',
] as const;

type Given = { readonly [field: string]: unknown } | null | undefined;

/** Returns why the pipeline or the options of an adapter are invalid, or `undefined`. `known` lists the names of the options. */
export function checkHooks(pipeline: unknown, options: unknown, known: readonly string[]): string | undefined {
  if (typeof (pipeline as Given)?.['start'] !== 'function')
    return 'the second argument must be a pipeline from createPipeline(..)';
  const issue = options === undefined ? undefined : checkSettings(options, known);
  if (issue !== undefined) return `options ${issue}`;
  const agent = (options as Given)?.['agent'];
  if (typeof agent === 'string') return undefined;
  return "options must contain agent, the agent name for hooks, such as { agent: 'support' }";
}

/** Returns the options of a run, if they are valid. Throws `OPTIONS_INVALID` otherwise. */
export function checkedStart<T extends { readonly agent: string }>(pipeline: unknown, options: T): T {
  const issue =
    typeof (pipeline as Given)?.['start'] === 'function'
      ? typeof options?.agent !== 'string' && "the second argument must contain agent, such as { agent: 'support' }"
      : 'the first argument must be a pipeline from createPipeline(..)';
  if (issue) throw new HooklineError('OPTIONS_INVALID', `startLoopRun: ${issue}.`);
  return options;
}

/** Returns why the settings of a run are invalid, or `undefined`. */
export function checkSettings(settings: unknown, known: readonly string[]): string | undefined {
  const issue = checkFields(settings, known);
  if (issue !== undefined) return issue;
  const { pendingCalls, answers, unhooked, runs } = settings as NonNullable<Given>;
  if (runs !== undefined && !hasMethods(runs, ['watch']))
    return 'contains an invalid runs: it must come from createRuns()';
  if (pendingCalls !== undefined && !hasMethods(pendingCalls, ['keep', 'take']))
    return `cannot hold this "pendingCalls": it must be pendingCallStore(store), with a store from ${STATE_STORES}`;
  return checkAnswers(answers) ?? checkNames(unhooked);
}

/** Answers can approve calls, so an invalid one is rejected. */
function checkAnswers(answers: unknown): string | undefined {
  if (answers === undefined) return undefined;
  if (!isObject(answers))
    return 'contains invalid answers: answers must be an object by call ID, such as { c1: { approved: true } }';
  for (const [id, answer] of Object.entries(answers)) {
    const cannot = `contains an invalid answer to "${id}"`;
    if (!isObject(answer) || typeof answer['approved'] !== 'boolean')
      return `${cannot}: approved must be true or false, such as { approved: true }`;
    const { input } = answer;
    if (input !== undefined && !isObject(input))
      return `${cannot}: input must be an object, the new input of the call, or omitted`;
  }
  return undefined;
}

function checkNames(unhooked: unknown): string | undefined {
  const names = unhooked === undefined || (Array.isArray(unhooked) && unhooked.every((one) => typeof one === 'string'));
  return names ? undefined : "contains an invalid unhooked: it must be a list of tool names, such as ['web_search']";
}

/** The hint in messages about a missing state store. */
export const STATE_STORES = 'fileStateStore(folder) or memoryStateStore() of hookline/hooks';

export function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof (value as Given)?.[name] === 'function');
}
