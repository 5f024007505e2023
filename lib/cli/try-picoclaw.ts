import { type Intercept, processHookOptionsSchema } from '../process-hooks/picoclaw/options.ts';
import { modesOf } from '../process-hooks/picoclaw/read-options.ts';
import { sampleCalls } from './sample-calls.ts';
import type { Tried } from './tried.ts';
import { tryProcess } from './try-process.ts';
import { unknownMembers } from './unknown-members.ts';

/** Tries a process hook of PicoClaw. `input` overrides members of the sample that is sent. */
export function tryPicoclaw(command: readonly string[], event: Intercept, input: object): Promise<Tried> {
  const { dialect, ...settings } = processHookOptionsSchema.parse({
    name: 'try-hook',
    command: [...command],
    intercept: [event],
  });
  const call = sampleCalls[event];
  return tryProcess(command, {
    hello: { name: settings.name, version: 1, modes: modesOf({ ...settings, dialect }) },
    method: `hook.${event}`,
    params: { ...call.params, ...input },
    faults: unknownMembers(event, input, [...Object.keys(call.params), ...call.optional]),
    read: (reply, diagnose) => call.read(reply, { dialect, diagnose }, false),
  });
}
