import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import type { Hook, HookDefinition } from '../../pipeline/define/hook.ts';
import type { HookEntry, NativeConfig } from '../native-schema.ts';
import { bindToPhase } from './bind-to-phase.ts';

type Defaults = NonNullable<NativeConfig['defaults']>;

/** Returns the hook with the name and settings of its entry. The settings of the hook come second, the defaults last. */
export function applyEntry(hook: Hook, name: string, entry: HookEntry, defaults: Defaults = {}): Hook {
  const { priority, match, phase } = entry;
  const timeoutMs = entry.timeoutMs ?? hook.timeoutMs ?? defaults.timeoutMs;
  // A broken operator over chunks cannot be skipped, and an approver that fails has not approved.
  const maySkip = (hook.on || hook.around) && !hook.through;
  const onFailure = entry.onFailure ?? (maySkip ? defaults.onFailure : undefined) ?? hook.onFailure;
  const {
    on,
    through,
    around,
    aroundPriority,
    approve,
    denies,
    observe,
    traced,
    redact,
    tools,
    description,
    idempotent,
  } = hook;
  const definition: HookDefinition = {
    name,
    priority: priority ?? hook.priority,
    onFailure,
    ...((match || hook.match) && { match: { ...hook.match, ...match } as NonNullable<HookDefinition['match']> }),
    ...withoutUndefined({ timeoutMs, description, idempotent, on, through, around, aroundPriority }),
    ...withoutUndefined({ approve, denies, observe, traced, redact, tools }),
  };
  return defineHook(phase ? bindToPhase(definition, phase) : definition);
}
