import { faultOfMembers } from '../errors/fault-of-members.ts';
import { HooklineError } from '../errors.ts';

type Given = { readonly [member: string]: unknown } | null | undefined;

/** Why these cannot be the pipeline and the options that an adapter of somebody's loop takes after what is theirs, if so. */
export function faultOfHooks(pipeline: unknown, options: unknown, known: readonly string[]): string | undefined {
  if (typeof (pipeline as Given)?.['start'] !== 'function')
    return 'the second argument must be a pipeline of createPipeline(..)';
  const fault = options === undefined ? undefined : faultOfSettings(options, known);
  if (fault !== undefined) return `options ${fault}`;
  const agent = (options as Given)?.['agent'];
  if (typeof agent === 'string') return undefined;
  return "options must hold agent, the name by which hooks know the agent, such as { agent: 'support' }";
}

/** The options of a run, if it can be started with them; throws `OPTIONS_INVALID`. */
export function checkedStart<T extends { readonly agent: string }>(pipeline: unknown, options: T): T {
  const fault =
    typeof (pipeline as Given)?.['start'] === 'function'
      ? typeof options?.agent !== 'string' && "the second must hold agent, such as { agent: 'support' }"
      : 'the first argument must be a pipeline of createPipeline(..)';
  if (fault) throw new HooklineError('OPTIONS_INVALID', `startLoopRun: ${fault}.`);
  return options;
}

/** Why these cannot be settings of a run, if so. */
export function faultOfSettings(settings: unknown, known: readonly string[]): string | undefined {
  const fault = faultOfMembers(settings, known);
  if (fault !== undefined) return fault;
  const { held, answers, unhooked } = settings as NonNullable<Given>;
  if (held !== undefined && !hasMethods(held, ['keep', 'take']))
    return `cannot hold this "held": it must be of heldCallsIn(store), where store is ${STATE_STORES}`;
  return faultOfAnswers(answers) ?? faultOfNames(unhooked);
}

/** Nothing that an answer lets through is guessed. */
function faultOfAnswers(answers: unknown): string | undefined {
  if (answers === undefined) return undefined;
  if (!isObject(answers))
    return 'cannot hold these answers: answers must be an object by id of the call, such as { c1: { approved: true } }';
  for (const [id, answer] of Object.entries(answers)) {
    const cannot = `cannot hold this answer to "${id}"`;
    if (!isObject(answer) || typeof answer['approved'] !== 'boolean')
      return `${cannot}: approved must be true or false, such as { approved: true }`;
    const { input } = answer;
    if (input !== undefined && !isObject(input))
      return `${cannot}: input must be an object, which is what the tool is run with, or left out`;
  }
  return undefined;
}

function faultOfNames(unhooked: unknown): string | undefined {
  const names = unhooked === undefined || (Array.isArray(unhooked) && unhooked.every((one) => typeof one === 'string'));
  return names ? undefined : "cannot hold this: unhooked must be a list of names of tools, such as ['web_search']";
}

function isObject(value: unknown): value is NonNullable<Given> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is meant by a store of state, where somebody gave none. */
export const STATE_STORES = 'fileStateStore(folder) or memoryStateStore() of hookline/hooks';

export function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof (value as Given)?.[name] === 'function');
}
