import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { z } from 'zod';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import { type JsonObject, jsonObjectSchema } from '../../../events/values/json-value.ts';
import type { HeldCall } from '../../../loops/held/held-call.ts';
import { defineHook } from '../../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, verdict } from '../../../pipeline/define/hook.ts';
import { defineState } from '../../../pipeline/define/state.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import type { ListedTool } from '../tools/mcp-client.ts';

/** What a server has said of its tools when each was seen first, or when somebody has last agreed to a change. */
export interface Pins {
  /** Pins new tools. Gives all as they are pinned; the same list where nothing has changed. */
  check(tools: readonly ListedTool[]): Promise<readonly ListedTool[]>;
  /** Asks about calls of changed tools. */
  readonly approver: Hook;
  /** Whether a tool is known to be another one than the pinned one: a call of it must not run. */
  isChanged(name: string): boolean;
  /**
   * Takes a yes. One to a question of `approver` pins the tool as it was shown, where it is still that, and counts for nothing else: of a tool
   * that has changed again somebody is asked again.
   */
  agree(held: HeldCall): { readonly held: HeldCall; readonly pinned: boolean };
}

const NAME = 'hookline:mcp-pins';
/** What was shown of changed tools, by the ids of the calls that were asked about: a held call carries it. */
const shownKey = defineState<readonly (readonly [string, string])[]>({
  name: `${NAME}.shown`,
  schema: z.array(z.tuple([z.string(), z.string()])),
  initial: [],
});
/** Of older ones somebody is asked again. */
const MOST_OPEN = 100;

const fileSchema = z.strictObject({ version: z.literal(1), tools: z.record(z.string(), jsonObjectSchema) });
/** Characters of a description that are shown. */
const MOST_SHOWN = 2_000;

/** A tool as the server lists it now, where that is not as it is pinned. */
interface Change {
  readonly now: JsonObject;
  readonly hash: string;
  readonly prompt: string;
}

/** Keeps pins in a JSON file, which is made when there is something to pin. One that cannot be read or written is `INPUT_INVALID`. */
export function pinsIn(file: string, log: Logger): Pins {
  const changed = new Map<string, Change>();
  let pinned = readPins(file);
  assertWritable(file);

  function keep(tools: Readonly<Record<string, JsonObject>>): void {
    try {
      // Another process may have pinned something in the meantime.
      const all = { ...readPins(file), ...tools };
      writeFileAtomic(file, `${JSON.stringify({ version: 1, tools: all }, null, 2)}\n`, { mode: 0o600 });
      pinned = all;
    } catch (thrown) {
      log.error({ err: messageOf(thrown), file }, 'the tools of an MCP server cannot be pinned, and are not used');
      throw new HooklineError('TOOL_FAILED', `The tools of the MCP server cannot be pinned: ${messageOf(thrown)}`);
    }
  }

  function compare(tool: ListedTool): ListedTool {
    const now = tool as unknown as JsonObject;
    const known = Object.hasOwn(pinned, tool.name) ? pinned[tool.name] : undefined;
    if (!known || canonicalJson(known) === canonicalJson(now)) {
      changed.delete(tool.name);
      return tool;
    }
    const hash = createHash('sha256').update(canonicalJson(now)).digest('base64');
    if (changed.get(tool.name)?.hash !== hash) {
      changed.set(tool.name, { now, hash, prompt: promptOf(tool.name, known, now) });
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
      name: NAME,
      description: 'Asks about tools that an MCP server has changed.',
      priority: HookPriority.SECURITY,
      approve({ toolCall: { id, name } }, context) {
        const change = changed.get(name);
        if (!change) return verdict.allow();
        const others = (all: readonly (readonly [string, string])[]) => all.filter(([of]) => of !== id);
        context.state(shownKey).update((all) => [...others(all), [id, change.hash] as const].slice(-MOST_OPEN));
        return verdict.suspend(change.prompt);
      },
    }),
    isChanged: (name) => changed.has(name),
    agree(held) {
      const { by, ...call } = held.call;
      if (by !== NAME) return { held, pinned: false };
      const { name } = call.judged;
      const change = changed.get(name);
      const shown = shownKey.schema.safeParse(held.state[shownKey.name]).data?.find(([of]) => of === call.key)?.[1];
      const same = change !== undefined && change.hash === shown;
      if (same) {
        keep({ [name]: change.now });
        changed.delete(name);
        log.info({ tool: name, file }, 'a changed tool of an MCP server is pinned anew');
      }
      return { held: { ...held, call }, pinned: same };
    },
  };
}

/** Without the file nobody would notice a change in the next process. */
function assertWritable(file: string): void {
  try {
    // With the slash, only a folder will do.
    accessSync(`${dirname(file)}/`, constants.W_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
  } catch (thrown) {
    throw new HooklineError(
      'INPUT_INVALID',
      `${file} cannot be written, so no tools can be pinned there: ${messageOf(thrown)}. Give a file that can be written.`,
    );
  }
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
  const lines = differs.map((key) => {
    const texts = [before[key], now[key]].map((value) => JSON.stringify(value) ?? 'nothing');
    const [was = '', is = ''] = texts.map((text) => excerpt(text, firstDifference(texts)));
    return `${key}, before: ${was}\n${key}, now: ${is}`;
  });
  return `The MCP server has changed its tool "${name}" since it was pinned. Use it as it is now?\n${lines.join('\n')}`;
}

function firstDifference([a = '', b = '']: readonly string[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** As much as can be shown, with what differs in it. What is left out is said. */
function excerpt(text: string, at: number): string {
  if (text.length <= MOST_SHOWN) return text;
  const from = at < MOST_SHOWN / 2 ? 0 : Math.min(at - 200, text.length - MOST_SHOWN);
  const left = text.length - from - MOST_SHOWN;
  const before = from > 0 ? `(${from} characters) … ` : '';
  return `${before}${text.slice(from, from + MOST_SHOWN)}${left > 0 ? ` … (${left} characters more)` : ''}`;
}
