import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sync as writeFileAtomic } from 'write-file-atomic';
import { z } from 'zod';
import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';
import { askedTogether, askersOf, asksOf } from '../../../events/decisions/ask.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import { type JsonObject, jsonObjectSchema } from '../../../events/values/json-value.ts';
import type { PendingCallRecord } from '../../../loops/pending/pending-call-record.ts';
import { defineHook } from '../../../pipeline/define/define-hook.ts';
import { type Hook, HookPriority, verdict } from '../../../pipeline/define/hook.ts';
import { defineState } from '../../../pipeline/define/state.ts';
import type { Logger } from '../../../pipeline/logger.ts';
import type { ListedTool } from '../tools/mcp-client.ts';

/** Stored tool definitions of a server. An entry changes only if a user approves the change. */
export interface Pins {
  /** Pins new tools. Returns all tools as pinned, or the same list if nothing has changed. */
  check(tools: readonly ListedTool[]): Promise<readonly ListedTool[]>;
  /** Suspends calls of changed tools. */
  readonly approver: Hook;
  /** Returns true if a tool differs from the pinned one. A call of it must not run. */
  isChanged(name: string): boolean;
  /** Accepts an approval. If `approver` asked, the shown tool is pinned, unless it has changed again. The approval then counts for nothing else. */
  agree(pending: PendingCallRecord): { readonly pending: PendingCallRecord; readonly pinned: boolean };
}

const NAME = 'hookline:mcp-pins';
/** Hashes of the shown tools, by call id. Pending calls carry this state. */
const shownKey = defineState<readonly (readonly [string, string])[]>({
  name: `${NAME}.shown`,
  schema: z.array(z.tuple([z.string(), z.string()])),
  initial: [],
});
/** Older calls require another approval. */
const MOST_OPEN = 100;

const fileSchema = z.strictObject({ version: z.literal(1), tools: z.record(z.string(), jsonObjectSchema) });
/** The maximum number of characters shown of a field. */
const MOST_SHOWN = 2_000;

/** The current definition of a tool that differs from the pinned one. */
interface Change {
  readonly now: JsonObject;
  readonly hash: string;
  readonly prompt: string;
}

/** Stores pins in a JSON file. The file is created with the first pin. Throws `INPUT_INVALID` if the file cannot be read or written. */
export function pinsIn(file: string, log: Logger): Pins {
  const changed = new Map<string, Change>();
  let pinned = readPins(file);
  assertWritable(file);

  function keep(tools: Readonly<Record<string, JsonObject>>): void {
    try {
      // Another process may have pinned tools in the meantime.
      const all = { ...readPins(file), ...tools };
      writeFileAtomic(file, `${JSON.stringify({ version: 1, tools: all }, null, 2)}\n`, { mode: 0o600 });
      pinned = all;
    } catch (thrown) {
      log.error({ err: messageOf(thrown), file }, 'the tools of an MCP server cannot be pinned and are disabled');
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
      log.warn({ tool: tool.name, file }, 'an MCP server changed a tool since it was pinned; its calls need approval');
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
      description: 'Requires approval for tools that an MCP server changed.',
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
    agree(pending) {
      const { by: _, asks: __, ...call } = pending.call;
      const others = asksOf(pending.call).filter(({ by }) => by !== NAME);
      if (!askersOf(pending.call).includes(NAME)) return { pending, pinned: false };
      const { name } = call.judged;
      const change = changed.get(name);
      const shown = shownKey.schema.safeParse(pending.state[shownKey.name]).data?.find(([of]) => of === call.key)?.[1];
      const same = change !== undefined && change.hash === shown;
      if (same) {
        keep({ [name]: change.now });
        changed.delete(name);
        log.info({ tool: name, file }, 'pinned the changed tool of an MCP server');
      }
      return { pending: { ...pending, call: { ...call, ...askedTogether(others) } }, pinned: same };
    },
  };
}

/** Without the file, the next process could not detect a change. */
function assertWritable(file: string): void {
  try {
    // With the trailing slash, the check fails for anything but a folder.
    accessSync(`${dirname(file)}/`, constants.W_OK);
    if (existsSync(file)) accessSync(file, constants.W_OK);
  } catch (thrown) {
    throw new HooklineError(
      'INPUT_INVALID',
      `${file} is not writable, so tools cannot be pinned: ${messageOf(thrown)}. Use a writable file.`,
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
    `${file} is not a file of pinned tools: ${why}. Use another file, or delete it.`,
  );
}

/** Lists every field that differs, before and after. */
function promptOf(name: string, before: JsonObject, now: JsonObject): string {
  const differs = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (key) => canonicalJson(before[key] ?? null) !== canonicalJson(now[key] ?? null),
  );
  const lines = differs.map((key) => {
    const texts = [before[key], now[key]].map((value) => JSON.stringify(value) ?? 'nothing');
    const [was = '', is = ''] = texts.map((text) => excerpt(text, firstDifference(texts)));
    return `${key}, before: ${was}\n${key}, now: ${is}`;
  });
  return `The MCP server changed its tool "${name}" since it was pinned. Accept the change?\n${lines.join('\n')}`;
}

function firstDifference([a = '', b = '']: readonly string[]): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Returns the part of a text around the first difference. It states how many characters are left out. */
function excerpt(text: string, at: number): string {
  if (text.length <= MOST_SHOWN) return text;
  const from = at < MOST_SHOWN / 2 ? 0 : Math.min(at - 200, text.length - MOST_SHOWN);
  const left = text.length - from - MOST_SHOWN;
  const before = from > 0 ? `(${from} characters) … ` : '';
  return `${before}${text.slice(from, from + MOST_SHOWN)}${left > 0 ? ` … (${left} more characters)` : ''}`;
}
