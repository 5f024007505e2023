import { HooklineError } from '../../errors.ts';
import { type RunInfo, runInfoSchema } from '../../events/parts/run-info.ts';
import { freezeLasting } from '../../events/values/deep-freeze.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { Settings } from '../settings.ts';
import type { RunOptions } from './run.ts';

/** Who a run is, checked and frozen. */
export function runInfoOf(options: RunOptions, settings: Settings): RunInfo {
  const { agent, sessionId, userId, metadata, parent, resumedFrom } = options;
  const info = {
    runId: settings.newId(),
    sessionId: sessionId ?? settings.newId(),
    ...(userId !== undefined && { userId }),
    agent,
    ...(parent && { parentRunId: parent.run.runId }),
    depth: parent ? parent.run.depth + 1 : 0,
    ...(resumedFrom !== undefined && { resumedFrom }),
    ...(metadata !== undefined && { metadata: toJson(metadata, 'metadata') as JsonObject }),
  };
  const checked = runInfoSchema.safeParse(info);
  if (checked.success) {
    // Node's randomUUID gives a chain of thirteen pieces; to look at one character makes one text of it.
    checked.data.runId.charCodeAt(0);
    return freezeLasting(checked.data);
  }
  const faults = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new HooklineError('OPTIONS_INVALID', `pipeline.start(): ${faults.join('; ')}`);
}
