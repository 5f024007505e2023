import { onAbort } from '../../agent/on-abort.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { PostActing } from '../../events/post-acting.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { JudgedCall } from '../../loops/judge-call.ts';
import { type RawResult, rawResult } from '../../loops/raw-result.ts';
import { describeTool, type Tool, type ToolContext } from '../../pipeline/define/tool.ts';
import type { StandardSchema } from '../../schemas/input-schema.ts';
import type { HostRun } from './host-run.ts';
import { type HostDetails, type HostTool, toToolCall } from './host-types.ts';

/** Tools of one run of the host, each run through the hooks. */
export interface HookedTools {
  /** The tool with hooks, the same for the same tool. `all` are the tools that there are at that time. */
  hook(tool: HostTool, all: () => readonly HostTool[]): HostTool;
  /** Tools as the run knows them, which has those that hooks bring by itself. */
  toTools(tools: readonly HostTool[]): readonly Tool[];
  /** The tools as their authors have made them, without those that hooks bring. */
  plain(tools: readonly HostTool[]): HostTool[];
  /** A tool that a hook brings, as the host knows tools. */
  bring(tool: Tool): HostTool;
}

interface UnderWay {
  readonly context: unknown;
  readonly details: HostDetails;
  /** The arguments as the model has written them, and the same as they were judged if no hook has changed them. */
  readonly given: string;
}

interface Ended {
  readonly raw?: RawResult;
  /** What the tool has thrown. */
  readonly thrown?: { readonly error: unknown };
}

export function hookedTools(host: HostRun): HookedTools {
  const hooked = new WeakMap<HostTool, HostTool>();
  const plain = new WeakMap<HostTool, HostTool>();
  const known = new WeakMap<HostTool, Tool>();
  const underWay = new Map<string, UnderWay>();
  const ended = new Map<string, Ended>();
  /** Calls that the host has asked about. */
  const asked = new Set<string>();
  /** Of hooks, which the run has by itself. */
  const brought = new WeakSet<HostTool>();

  const toTool = (tool: HostTool): Tool => {
    const made = known.get(tool) ?? {
      name: tool.name,
      description: tool.description ?? '',
      inputSchema: ANY,
      jsonSchema: JSON.parse(JSON.stringify(tool.parameters ?? {})) as JsonObject,
      execute: (input, context) => execute(tool, input, context),
    };
    known.set(tool, made);
    return made;
  };

  const toTools = (tools: readonly HostTool[]): readonly Tool[] =>
    tools.filter((tool) => tool.type === 'function' && !brought.has(tool)).map(toTool);

  async function execute(tool: HostTool, input: unknown, context: ToolContext): Promise<unknown> {
    const { id } = context.toolCall;
    const call = underWay.get(id) as UnderWay;
    try {
      const details = detailsFor(call, tool, context, host);
      const value = await untilCut(
        tool.invoke(call.context, argumentsOf(call.given, input), details),
        call.details.signal,
      );
      const raw = rawResult(value, tool.name);
      ended.set(id, { raw });
      return raw.result;
    } catch (error) {
      ended.set(id, { thrown: { error } });
      throw error;
    }
  }

  function hook(tool: HostTool, all: () => readonly HostTool[]): HostTool {
    const made = hooked.get(tool);
    if (made) return made;
    // One of that name comes first: names may come again in another namespace.
    const those = (): readonly HostTool[] => [tool, ...all().filter(({ name }) => name !== tool.name)];
    /** What the tool that is to run asks about what it is to run with; `input` is what the model has given. */
    const asks = async ({ event }: JudgedCall, call: ToolCall, context: unknown, input: unknown): Promise<boolean> => {
      const { name, input: runs } = event?.toolCall ?? call;
      const runner = those().find((one) => one.name === name && one.type === 'function');
      const about = JSON.stringify(runs) === JSON.stringify(call.input) ? input : runs;
      return Boolean(await runner?.needsApproval?.(context, about, call.id));
    };
    const one = wrapped(tool, {
      async invoke(context: unknown, given: string, details: HostDetails = {}) {
        const call = toToolCall(idOf(details), tool.name, given);
        const { id } = call;
        underWay.set(id, { context, details, given });
        const judged = await host.judge(call, toTools(those()), UNASKED);
        if (judged.state === 'suspended') return `Not run: ${judged.held?.call.prompt ?? 'it waits for an answer'}`;
        // Where the host asks about no call of this tool, that is no yes to what hooks have made of one.
        const unasked = judged.state === 'ready' && !asked.has(id) && !host.answered(id) && changed(judged, call);
        if (unasked && (await asks(judged, call, context, call.input))) return outputOf(await judged.skip(UNASKED));
        return outputOf(await judged.execute(), ended.get(id));
      },
      async needsApproval(context: unknown, input: unknown, id = '') {
        const call = toToolCall(id, tool.name, typeof input === 'string' ? input : JSON.stringify(input));
        asked.add(id);
        const judged = await host.judge(call, toTools(those()));
        if (judged.state !== 'ready') return judged.state === 'suspended';
        return asks(judged, call, context, input);
      },
    });
    hooked.set(tool, one);
    hooked.set(one, one);
    plain.set(one, tool);
    return one;
  }

  return {
    hook,
    toTools,
    plain: (tools) => tools.map((tool) => plain.get(tool) ?? tool).filter((tool) => !brought.has(tool)),
    bring(tool) {
      const { name, description, inputSchema } = describeTool(tool);
      const shape = { type: 'function', name, description, parameters: inputSchema, strict: false };
      const never = (): never => {
        throw new Error(`The tool "${name}" of a hook was run without the hooks.`);
      };
      const made = { ...shape, deferLoading: false, isEnabled: async () => true, invoke: never } as HostTool;
      brought.add(made);
      return made;
    },
  };
}

const UNASKED = 'the host asks no more about this call';

/** The host parses the input itself, once, when the tool is run. */
const ANY: StandardSchema = { '~standard': { version: 1, vendor: 'openai-agents', validate: (value) => ({ value }) } };

/** A copy of a tool, what is not enumerable included. */
function wrapped(tool: HostTool, changes: object): HostTool {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(tool), ...membersOf(changes) }) as HostTool;
}

function membersOf(changes: object): PropertyDescriptorMap {
  const entries = Object.entries(changes).map(([name, value]) => [
    name,
    { value, enumerable: true, configurable: true, writable: true },
  ]);
  return Object.fromEntries(entries);
}

function changed({ event }: JudgedCall, { name, input }: ToolCall): boolean {
  const runs = event?.toolCall;
  return runs !== undefined && (runs.name !== name || JSON.stringify(runs.input) !== JSON.stringify(input));
}

function idOf({ toolCall }: HostDetails): string {
  return String(toolCall?.['callId']);
}

/** The host has given the call up (`timeoutMs`): so has the run, though the tool may go on. */
function untilCut<T>(work: T | Promise<T>, signal: AbortSignal | undefined): T | Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const unlink = onAbort(signal, () => reject(signal.reason));
    Promise.resolve(work).then(resolve, reject).finally(unlink);
  });
}

/** The arguments, as the model has written them where hooks have left them. */
function argumentsOf(given: string, input: unknown): string {
  const text = JSON.stringify(input);
  return text === JSON.stringify(toToolCall('', '', given).input) ? given : text;
}

/** What the host gives a tool, with the call as it was judged, and a signal that ends with the call. */
function detailsFor(
  { details }: UnderWay,
  tool: HostTool,
  { toolCall: { name, input }, signal }: ToolContext,
  { plain }: HostRun,
): HostDetails {
  const { toolCall } = details;
  const own = JSON.stringify(input) === JSON.stringify(toToolCall('', '', String(toolCall?.['arguments'])).input);
  // The host finds the run of an agent that is a tool by the very call.
  const same = tool.on !== undefined || (own && toolCall?.['name'] === name);
  const call = same ? toolCall : { ...toolCall, name, arguments: JSON.stringify(input) };
  const either = AbortSignal.any([signal, ...(details.signal ? [details.signal] : [])]);
  const members = Object.getOwnPropertyDescriptors(details) as { [key: PropertyKey]: PropertyDescriptor };
  for (const key of Reflect.ownKeys(members)) {
    const value = members[key]?.value as { readonly modelProvider?: unknown } | undefined;
    if (value?.modelProvider !== undefined && value.modelProvider === plain?.hooked)
      members[key] = { ...members[key], value: { ...value, ...plain.config } };
  }
  return Object.defineProperties({}, { ...members, ...membersOf({ toolCall: call, signal: either }) });
}

/** What a call came to, as the host's tools say it. It does not know of results that are errors: the model reads them. */
function outputOf(post: PostActing | undefined, ended?: Ended): unknown {
  if (!post) return 'Not run: a sub-agent waits for an answer.';
  // The tool asks for it (`errorFunction: null`), or it would have told the model by itself.
  if (post.outcome === 'failed' && ended?.thrown) throw ended.thrown.error;
  return post.outcome === 'executed' && ended?.raw ? ended.raw.restore(post.result) : post.result.content;
}
