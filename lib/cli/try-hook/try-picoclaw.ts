import { agreement } from '../../process-hooks/picoclaw/agreement.ts';
import { assertReply } from '../../process-hooks/picoclaw/assert-reply.ts';
import { type Intercept, processHookOptionsSchema } from '../../process-hooks/picoclaw/options.ts';
import { modesOf } from '../../process-hooks/picoclaw/read-options.ts';
import { sampleCalls } from './sample-calls.ts';
import type { Tried } from './tried.ts';
import { tryProcess } from './try-process.ts';
import { unknownFields } from './unknown-fields.ts';

/** Tries a process hook of PicoClaw. `input` overrides fields of the sample. */
export function tryPicoclaw(command: readonly string[], event: Intercept, input: object): Promise<Tried> {
  const { dialect, ...settings } = processHookOptionsSchema.parse({
    name: 'try-hook',
    command: [...command],
    intercept: [event],
  });
  const modes = modesOf({ ...settings, dialect });
  const call = sampleCalls[event];
  return tryProcess(command, {
    hello: { name: settings.name, version: 1, modes },
    method: `hook.${event}`,
    params: { ...call.params, ...input },
    issues: unknownFields(event, input, [...Object.keys(call.params), ...call.optional]),
    agree: (reply) => void agreement(settings.name, reply, modes),
    read(reply, diagnose) {
      assertReply(settings.name, `hook.${event}`, reply);
      return call.read(reply, { dialect, diagnose }, false);
    },
  });
}
