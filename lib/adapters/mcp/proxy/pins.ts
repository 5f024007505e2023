import { existsSync, readFileSync } from 'node:fs';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { z } from 'zod';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import { type JsonObject, jsonObjectSchema } from '../../../events/values/json-value.ts';
import { defineHook } from '../../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, verdict } from '../../../pipeline/define/hook.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import type { ListedTool } from '../tools/mcp-client.ts';

/** What a server has said of its tools when each was seen first, or when somebody has last agreed to a change. */
export interface Pins {
  /** Pins new tools. Gives all as they are pinned; the same list where nothing has changed. */
  check(tools: readonly ListedTool[]): Promise<readonly ListedTool[]>;
  /** Asks about calls of changed tools. */
  readonly approver: Hook;
  /** Somebody has agreed to the tool as it is now; whether it had changed. */
  accept(name: string): boolean;
}

const fileSchema = z.strictObject({ version: z.literal(1), tools: z.record(z.string(), jsonObjectSchema) });
/** Characters of a description that are shown. */
const MOST_SHOWN = 2_000;

/** Keeps pins in a JSON file, which is made when there is something to pin. One that cannot be read is `INPUT_INVALID`. */
export function pinsIn(file: string, log: Logger): Pins {
  /** As the server lists them now, where that is not as they are pinned. */
  const changed = new Map<string, { readonly now: JsonObject; readonly prompt: string }>();
  let pinned = readPins(file);

  function keep(tools: Readonly<Record<string, JsonObject>>): void {
    try {
      // Another process may have pinned something in the meantime.
      pinned = { ...readPins(file), ...tools };
      writeFileAtomic(file, `${JSON.stringify({ version: 1, tools: pinned }, null, 2)}\n`, { mode: 0o600 });
    } catch (thrown) {
      pinned = { ...pinned, ...tools };
      log.error({ err: messageOf(thrown), file }, 'the tools of an MCP server are pinned for this process only');
    }
  }

  function compare(tool: ListedTool): ListedTool {
    const now = tool as unknown as JsonObject;
    const known = Object.hasOwn(pinned, tool.name) ? pinned[tool.name] : undefined;
    if (!known || canonicalJson(known) === canonicalJson(now)) {
      changed.delete(tool.name);
      return tool;
    }
    const told = changed.get(tool.name);
    if (!told || canonicalJson(told.now) !== canonicalJson(now)) {
      changed.set(tool.name, { now, prompt: promptOf(tool.name, known, now) });
      log.warn(
        { tool: tool.name, file },
        'an MCP server has changed a tool since it was pinned; its calls are asked about',
      );
    }
    return known as unknown as ListedTool;
  }

  return {
    async check(tools) {
      const fresh = tools.filter(({ name }) => !Object.hasOwn(pinned, name));
      if (fresh.length > 0) keep(Object.fromEntries(fresh.map((tool) => [tool.name, tool as unknown as JsonObject])));
      const shown = tools.map(compare);
      return shown.every((tool, index) => tool === tools[index]) ? tools : shown;
    },
    approver: defineHook({
      name: 'hookline:mcp-pins',
      description: 'Asks about tools that an MCP server has changed.',
      priority: HookPriority.SECURITY,
      approve({ toolCall: { name } }) {
        const change = changed.get(name);
        return change ? verdict.suspend(change.prompt) : verdict.allow();
      },
    }),
    accept(name) {
      const change = changed.get(name);
      if (!change) return false;
      changed.delete(name);
      keep({ [name]: change.now });
      return true;
    },
  };
}

function readPins(file: string): Readonly<Record<string, JsonObject>> {
  if (!existsSync(file)) return {};
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (thrown) {
    throw invalid(file, messageOf(thrown));
  }
  const parsed = fileSchema.safeParse(value);
  if (parsed.success) return parsed.data.tools;
  throw invalid(file, z.prettifyError(parsed.error));
}

function invalid(file: string, why: string): HooklineError {
  return new HooklineError(
    'INPUT_INVALID',
    `${file} holds no pinned tools: ${why}. Give another file, or take it away.`,
  );
}

/** Every member that differs, as it was and as it is. */
function promptOf(name: string, before: JsonObject, now: JsonObject): string {
  const differs = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (key) => canonicalJson(before[key] ?? null) !== canonicalJson(now[key] ?? null),
  );
  const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, MOST_SHOWN);
  const lines = differs.map((key) => `${key}, before: ${shown(before[key])}\n${key}, now: ${shown(now[key])}`);
  return `The MCP server has changed its tool "${name}" since it was pinned. Use it as it is now?\n${lines.join('\n')}`;
}
