import { overlaid } from '../../loops/overlaid.ts';
import { type HookedNames, refused } from './check-options.ts';
import type { HostProcessor, HostStep, MastraTool } from './host-mastra.ts';

type Tools = Readonly<Record<string, MastraTool>>;

/** Wraps input processors. They fail if they set a model or tools without hooks, or answer instead of the model. */
export function checkedProcessors(processors: readonly HostProcessor[], names: HookedNames): readonly HostProcessor[] {
  return processors.map((processor) => {
    if (isWorkflow(processor))
      throw refused(
        `the workflow "${processor.id}" in inputProcessors can replace the model and the tools of a step, which bypasses the hooks; list its processors instead`,
      );
    return canReplace(processor) ? checked(processor, names) : processor;
  });
}

function isWorkflow(processor: HostProcessor): boolean {
  return 'inputSchema' in processor && 'outputSchema' in processor && typeof processor['execute'] === 'function';
}

function canReplace({ processInputStep, processLLMRequest, getLoadedToolsForRequestContext }: HostProcessor): boolean {
  return [processInputStep, processLLMRequest, getLoadedToolsForRequestContext].some((one) => one !== undefined);
}

function checked(processor: HostProcessor, names: HookedNames): HostProcessor {
  const what = `the input processor "${processor.id}"`;
  const sameTools = ({ tools = {} }: HostStep): ((given: Tools | undefined) => void) => {
    // A processor may modify the tools that it receives.
    const were = new Map(Object.entries(tools).map(([name, { execute }]) => [name, execute] as const));
    return (given = {}) => {
      const past = Object.keys(given).find((name) => {
        const isLeft = were.has(name) && given[name]?.execute === were.get(name);
        return names.isHooked(name) && !isLeft && !names.is(name, given[name]);
      });
      if (past !== undefined)
        throw refused(`${what} replaces the tool "${past}", which bypasses the hooks; keep the tool as it is`);
    };
  };
  const own: HostProcessor = {
    ...(processor.processInputStep && {
      async processInputStep(step) {
        const check = sameTools(step);
        const { model } = step;
        const given = await processor.processInputStep?.(step);
        if (given?.model !== undefined && given.model !== model)
          throw refused(`${what} replaces the model of a step, which bypasses the hooks; keep the model as it is`);
        check(step.tools);
        check(given?.tools);
        return given;
      },
    }),
    ...(processor.processLLMRequest && {
      async processLLMRequest(request) {
        const given = await processor.processLLMRequest?.(request);
        if (given?.response !== undefined)
          throw refused(
            `${what} responds instead of the model, which bypasses the hooks; use a preReasoning hook instead`,
          );
        return given;
      },
    }),
    ...(processor.getLoadedToolsForRequestContext && {
      async getLoadedToolsForRequestContext(step) {
        const check = sameTools(step);
        const given = await processor.getLoadedToolsForRequestContext?.(step);
        check(step.tools);
        check(given);
        return given;
      },
    }),
  };
  return overlaid(processor, own, { isBound: true });
}
