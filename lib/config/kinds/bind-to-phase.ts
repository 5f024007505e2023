import { HooklineError } from '../../errors.ts';
import { eventTypes } from '../../events/decisions/event-rules.ts';
import type { EventType, HookEvent } from '../../events/hook-event.ts';
import type { ActingOutcome } from '../../events/post-acting.ts';
import type { AnyHandler, Handlers, HookDefinition } from '../../pipeline/define/hook.ts';
import type { ToolPhase } from '../native-schema.ts';

interface Part {
  readonly events: readonly EventType[];
  readonly outcomes?: readonly ActingOutcome[];
  readonly through?: boolean;
  readonly around?: boolean;
  readonly approve?: boolean;
}

/** The parts of each phase of JARVIS. Its results are those of calls that ran or were answered; errors and skips have their own phases. */
const parts: Readonly<Record<ToolPhase, Part>> = {
  pre_tool_use: { events: ['preActing'], approve: true },
  post_tool_use: { events: ['postActing', 'actingChunk'], outcomes: ['executed', 'responded'], through: true },
  tool_error: { events: ['postActing', 'error'], outcomes: ['failed'], around: true },
  tool_skip: { events: ['postActing'], outcomes: ['denied', 'skipped'] },
};

/** Reduces a hook to one phase of tool calls. Throws `HOOK_INVALID` if the hook has no part in that phase. */
export function bindToPhase(definition: HookDefinition, phase: ToolPhase): HookDefinition {
  const { on, through, around, approve, denies, observe, ...rest } = definition;
  const part = parts[phase];
  const concerns = (event: HookEvent): boolean => {
    if (!part.events.includes(event.type)) return false;
    if (event.type === 'error') return event.phase === 'acting' && event.source === 'tool';
    return event.type !== 'postActing' || (part.outcomes ?? []).includes(event.outcome);
  };
  const handlers = Object.fromEntries(
    eventTypes.flatMap((type) => {
      const handle = (typeof on === 'function' ? on : on?.[type]) as AnyHandler | undefined;
      if (!handle || !part.events.includes(type)) return [];
      const bound: AnyHandler = (event, context) => (concerns(event) ? handle(event, context) : undefined);
      return [[type, bound]];
    }),
  ) as Handlers;
  const bound: HookDefinition = {
    ...rest,
    ...(Object.keys(handlers).length > 0 && { on: handlers }),
    ...(part.through && through?.actingChunk && { through: { actingChunk: through.actingChunk } }),
    ...(part.around && around?.acting && { around: { acting: around.acting } }),
    ...(part.approve && approve && { approve, ...(denies && { denies }) }),
    ...(observe && {
      observe: (event, context, steps) => (concerns(event) ? observe(event, context, steps) : undefined),
    }),
  };
  if (bound.on || bound.through || bound.around || bound.approve || bound.observe || bound.tools) return bound;
  throw new HooklineError('HOOK_INVALID', `hook "${definition.name}" has no effect in the phase ${phase}.`);
}
