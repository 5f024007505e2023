import { eventTypes } from '../../events/decisions/event-rules.ts';
import type { EventType } from '../../events/hook-event.ts';
import type { Permission } from '../../events/parts/tool-description.ts';
import type { Approver, Hook, HookMatch, ObserveHandler, Redact, Wrappers } from './hook.ts';
import type { HookContext } from './hook-context.ts';
import { createMatcher } from './matcher.ts';

/** Returns whether a hook applies to a tool of this name and permission. Absent if it applies to all. */
type Applies = ((tool: string, permission: Permission) => boolean) | undefined;

/** The common fields of stages: the hook, its index in the pipeline, and its matcher. */
export interface Stage {
  readonly hook: Hook;
  readonly index: number;
  readonly applies: Applies;
}

export interface OnStage extends Stage {
  readonly kind: 'on';
  readonly handle: (event: never, context: HookContext) => unknown;
}

export interface ThroughStage extends Stage {
  readonly kind: 'through';
  readonly operator: (chunks$: never, context: HookContext) => unknown;
}

export interface AroundStage<P extends keyof Wrappers> extends Stage {
  readonly around: NonNullable<Wrappers[P]>;
}

export interface ApproveStage extends Stage {
  readonly approve: Approver;
}

/** A redacting function with the name of its hook. Without a name, it is an option of the pipeline. */
export interface NamedRedact {
  readonly hook: string | undefined;
  readonly redact: Redact;
}

export interface ObserveStage extends Stage {
  readonly observe: ObserveHandler;
}

/** The hooks that apply to one agent, as the stages of each event. */
export interface Plan {
  readonly gates: Readonly<Record<EventType, readonly OnStage[]>>;
  readonly lanes: Readonly<Record<'reasoningChunk' | 'actingChunk', readonly (OnStage | ThroughStage)[]>>;
  readonly arounds: { readonly [P in keyof Wrappers]-?: readonly AroundStage<P>[] };
  readonly approvers: readonly ApproveStage[];
  readonly redactors: readonly NamedRedact[];
  readonly observers: readonly ObserveStage[];
}

/** Compiles hooks in running order into a plan for the agent of this name. */
export function compilePlan(hooks: readonly Hook[], agent: string): Plan {
  const stages = hooks
    .map((hook, index): Stage => ({ hook, index, applies: toApplies(hook.match) }))
    .filter(({ hook }) => !hook.match?.agents || createMatcher(hook.match.agents)(agent));

  const placeOf = ({ priority, aroundPriority = priority }: Hook) => aroundPriority;
  const wrapping = [...stages].sort((a, b) => placeOf(a.hook) - placeOf(b.hook));

  const on = (type: EventType): OnStage[] => stages.flatMap((stage) => onStage(stage, type));
  const lane = (type: 'reasoningChunk' | 'actingChunk') =>
    stages.flatMap((stage) => [...onStage(stage, type), ...throughStage(stage, type)]);

  return {
    gates: Object.fromEntries(eventTypes.map((type) => [type, on(type)])) as Record<EventType, OnStage[]>,
    lanes: { reasoningChunk: lane('reasoningChunk'), actingChunk: lane('actingChunk') },
    arounds: {
      reasoning: wrapping.flatMap((stage) =>
        stage.hook.around?.reasoning ? [{ ...stage, around: stage.hook.around.reasoning }] : [],
      ),
      acting: wrapping.flatMap((stage) =>
        stage.hook.around?.acting ? [{ ...stage, around: stage.hook.around.acting }] : [],
      ),
    },
    approvers: stages.flatMap((stage) => (stage.hook.approve ? [{ ...stage, approve: stage.hook.approve }] : [])),
    redactors: stages.flatMap(({ hook: { name, redact } }) => (redact ? [{ hook: name, redact }] : [])),
    observers: stages.flatMap((stage) => (stage.hook.observe ? [{ ...stage, observe: stage.hook.observe }] : [])),
  };
}

function onStage(stage: Stage, type: EventType): OnStage[] {
  const { on } = stage.hook;
  const handle = typeof on === 'function' ? on : on?.[type];
  // Own fields first: V8 creates slow objects if fields follow a spread.
  return handle ? [{ kind: 'on', handle: handle as OnStage['handle'], ...stage }] : [];
}

function throughStage(stage: Stage, type: 'reasoningChunk' | 'actingChunk'): ThroughStage[] {
  const operator = stage.hook.through?.[type];
  return operator ? [{ kind: 'through', operator: operator as ThroughStage['operator'], ...stage }] : [];
}

function toApplies(match: HookMatch | undefined): Applies {
  const names = match?.tools && createMatcher(match.tools);
  const permissions = match?.permissions && new Set(match.permissions);
  if (!names && !permissions) return undefined;
  return (tool, permission) => (!names || names(tool)) && (!permissions || permissions.has(permission));
}
