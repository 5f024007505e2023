import { HooklineError } from '../../errors.ts';
import { ignoreRejection, isAsync } from '../../events/values/is-async.ts';
import type { Hook } from '../define/hook.ts';
import type { Plan } from '../define/plan.ts';
import type { Logger } from '../logger.ts';

type Asked = Parameters<NonNullable<Hook['denies']>>[0];

/** Returns the hook whose `denies` denies a call, or every call of a tool. A `denies` that fails denies. */
export function deniedBy({ approvers }: Pick<Plan, 'approvers'>, call: Asked, log: Logger): string | undefined {
  return approvers.find(
    ({ hook, applies }) => hook.denies && (applies?.(call.name, call.permission) ?? true) && denies(hook, call, log),
  )?.hook.name;
}

/** The call that reads a text: of the tool `read_file`, or of `WebFetch` if the place is an address. */
export function readingOf(place: string): Asked {
  if (/^https?:/i.test(place)) return { name: 'WebFetch', permission: 'read', input: { url: place } };
  const path = /^file:/i.test(place) && URL.canParse(place) ? decodeURIComponent(new URL(place).pathname) : place;
  return { name: 'read_file', permission: 'read', input: { path } };
}

function denies(hook: Hook, call: Asked, log: Logger): boolean {
  try {
    const answer: unknown = hook.denies?.(call);
    if (!isAsync(answer)) return Boolean(answer);
    ignoreRejection(answer);
    throw new HooklineError('HOOK_CONTRACT', `Hook "${hook.name}" (denies): must return true or false at once.`);
  } catch (err) {
    log.error({ hook: hook.name, tool: call.name, err }, 'a hook failed in denies, which counts as a denial');
    return true;
  }
}
