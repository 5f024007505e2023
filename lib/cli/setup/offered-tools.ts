import { nearestOrAll } from '../../errors/nearest-name.ts';
import { HooklineError } from '../../errors.ts';
import { createMatcher } from '../../pipeline/define/matcher.ts';
import type { Tool } from '../../pipeline/define/tool.ts';

/** Of the tools those that a configuration wants, by name or glob; all where it says nothing. A name that fits none is `INPUT_INVALID`. */
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
