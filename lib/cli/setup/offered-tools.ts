import { nearestOrAll } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { Tool } from '../../pipeline/define/tool.ts';

/** Returns the tools that a configuration selects by name or glob (default: all). A name that matches no tool is `INPUT_INVALID`. */
export function offeredTools(tools: readonly Tool[], wanted: readonly string[] | undefined): readonly Tool[] {
  if (!wanted) return tools;
  const names = tools.map(({ name }) => name);
  const idle = wanted.find((one) => !names.some(createMatcher([one])));
  if (idle === undefined) return tools.filter(({ name }) => createMatcher(wanted)(name));
  const help = nearestOrAll(idle, names);
  throw new HooklineError(
    'INPUT_INVALID',
    `The configuration lists the tool ${JSON.stringify(idle)}, which does not exist. ${help}`,
  );
}
