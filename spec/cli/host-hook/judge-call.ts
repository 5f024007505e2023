import type { DialectName } from '../../../lib/cli/host-hook/dialects/dialect-names.ts';
import { dialectOf } from '../../../lib/cli/host-hook/dialects/dialects.ts';
import type { HostAnswer } from '../../../lib/cli/host-hook/host-answer.ts';
import { createHostHooks } from '../../../lib/cli/host-hook/host-hooks.ts';
import { judgeEvent } from '../../../lib/cli/host-hook/judge/judge-event.ts';
import type { HookFlags } from '../../../lib/cli/setup/configured-hooks.ts';
import { tempFolder } from '../../temp-folder.ts';

const state = tempFolder('judge-state');

/** Answers an event of a host as the process of `hookline hook` does, in this process, with variables of the environment. */
export async function judgeCall(
  host: DialectName,
  flags: HookFlags,
  event: object,
  variables: NodeJS.ProcessEnv = {},
): Promise<HostAnswer> {
  const before = { ...process.env };
  set({ XDG_STATE_HOME: state, ...variables });
  const hooks = createHostHooks(flags, host, false);
  const { signal } = new AbortController();
  try {
    return await judgeEvent(hooks, dialectOf(host), JSON.stringify(event), { signal, begin: () => {} });
  } finally {
    await hooks.close();
    set({ XDG_STATE_HOME: undefined, ...Object.fromEntries(Object.keys(variables).map((name) => [name, undefined])) });
    Object.assign(process.env, before);
  }
}

function set(variables: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(variables))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}
