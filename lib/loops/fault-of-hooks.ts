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
  const { held } = settings as { readonly held?: unknown };
  if (held === undefined || hasMethods(held, ['keep', 'take'])) return undefined;
  return `cannot hold this "held": it must be of heldCallsIn(store), where store is ${STATE_STORES}`;
}

/** What is meant by a store of state, where somebody gave none. */
export const STATE_STORES = 'fileStateStore(folder) or memoryStateStore() of hookline/hooks';

export function hasMethods(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof (value as Given)?.[name] === 'function');
}
