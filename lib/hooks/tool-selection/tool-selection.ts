import { catchError, map, type Observable, of } from 'rxjs';
import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { modify } from '../../events/decisions/modify.ts';
import { isPrompt, textOf } from '../../events/parts/messages.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { PreReasoning } from '../../events/pre-reasoning.ts';
import { defineHook } from '../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, verdict } from '../../pipeline/define/hook.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import { defineCatalogueEntry } from '../catalogue.ts';
import type { HookHost } from '../hook-host.ts';
import { parseHookOptions } from '../parse-hook-options.ts';
import { pickTools } from './pick-tools.ts';
import { type SelectionRule, type ToolSelectionOptions, toolSelectionOptionsSchema } from './tool-selection-options.ts';

type Described = Pick<ToolDescription, 'name' | 'permission'>;

/** The picked tools for a user message. */
interface Picked {
  readonly question: string;
  /** The candidates. */
  readonly among: string;
  /** Undefined: all of them. */
  readonly names: ReadonlySet<string> | undefined;
}

/**
 * Selects the tools that the model is offered: by rules, and by a model that picks those that a user message needs. Calls of other tools
 * are denied. Nothing enters the transcript.
 *
 * If the model cannot pick, all tools that the rules allow are offered. This is logged.
 *
 * - Parallel calls: Each call is judged on its own.
 * - Sub-agents: Rules name agents. Picked tools apply to one run.
 * - Retry: The same tools are offered.
 * - Suspend and resume: Rules apply as before. A resumed run picks again.
 * - Cost: Without `pick`, no model request. With `pick`, one for each user message. Fewer tools save tokens of each request.
 */
export function toolSelection(options: ToolSelectionOptions, host: HookHost = {}): Hook {
  const { name, rules, pick, order, enforce } = parseHookOptions('tool-selection', toolSelectionOptionsSchema, options);
  const compiled = rules.map(compileRule);
  const isAlways = createMatcher(pick?.always ?? []);
  const pickedFor = new WeakMap<RunInfo, Picked>();

  const byRules = (tool: Described, agent: string): boolean => compiled.every((offers) => offers(tool, agent));

  function offered(event: PreReasoning, picked: Picked['names']): PreReasoning {
    const left = event.tools.filter(
      (tool) => byRules(tool, event.run.agent) && (!picked || picked.has(tool.name) || isAlways(tool.name)),
    );
    const tools = order === 'given' ? left : left.sort((a, b) => (a.name < b.name ? -1 : 1));
    const same = tools.length === event.tools.length && tools.every((tool, at) => tool === event.tools[at]);
    return same ? event : modify(event, { tools });
  }

  /** Picks tools for the last user message, once per message. */
  function pickFor(event: PreReasoning, context: HookContext): Picked['names'] | Observable<Picked['names']> {
    if (!pick || context.dryRun) return undefined;
    const candidates = event.tools.filter((tool) => byRules(tool, event.run.agent) && !isAlways(tool.name));
    if (candidates.length <= pick.max) {
      pickedFor.delete(event.run);
      return undefined;
    }
    const asked = event.messages.findLast(isPrompt);
    const question = textOf(asked);
    const among = candidates.map((tool) => tool.name).join('\n');
    const known = pickedFor.get(event.run);
    if (known?.question === question && known.among === among) return known.names;
    return pickTools(question, candidates, pick, context, host).pipe(
      map((names): Picked['names'] => new Set(names)),
      catchError((err) => {
        context.log.warn({ err }, `offering all tools, because the selection failed: ${reasonOf(err)}`);
        return of(undefined);
      }),
      map((names) => {
        pickedFor.set(event.run, { question, among, names });
        return names;
      }),
    );
  }

  return defineHook({
    name,
    description: 'Selects the tools that the model can call.',
    priority: HookPriority.PREPROCESSING,
    // The pick has its own timeout.
    timeoutMs: Number.POSITIVE_INFINITY,
    on: {
      preReasoning(event, context) {
        if (event.tools.length === 0 || event.decision) return undefined;
        const picked = pickFor(event, context);
        if (picked === undefined || picked instanceof Set) return offered(event, picked);
        return (picked as Observable<Picked['names']>).pipe(map((names) => offered(event, names)));
      },
    },
    ...(enforce && {
      approve({ toolCall, permission, run }) {
        const tool = { name: toolCall.name, permission };
        const picked = pickedFor.get(run)?.names;
        const isOffered = byRules(tool, run.agent) && (!picked || picked.has(tool.name) || isAlways(tool.name));
        return isOffered ? verdict.allow() : verdict.deny(`The tool ${tool.name} is not available.`);
      },
    }),
  });
}

function compileRule({ agents, offer, hide, permissions }: SelectionRule): (tool: Described, agent: string) => boolean {
  const isFor = createMatcher(agents ?? ['*']);
  const isOffered = createMatcher(offer ?? ['*']);
  const isHidden = createMatcher(hide ?? []);
  return ({ name, permission }, agent) =>
    !isFor(agent) ||
    (isOffered(name) && !isHidden(name) && (permissions === undefined || permissions.includes(permission)));
}

function reasonOf(thrown: unknown): string {
  const isShape = thrown instanceof SyntaxError || thrown instanceof z.ZodError;
  return isShape ? 'the model did not answer with a list of names' : messageOf(thrown);
}

/** @internal The catalogue entry of `toolSelection`. */
export const toolSelectionEntry = defineCatalogueEntry({
  name: 'tool-selection',
  description: 'Selects the tools that the model can call: by agent, by rules or with a model.',
  events: ['preReasoning', 'preActing'],
  optionsSchema: toolSelectionOptionsSchema,
  example: { rules: [{ agents: ['researcher'], offer: ['read_*', 'search_*'] }] },
  create: toolSelection,
});
