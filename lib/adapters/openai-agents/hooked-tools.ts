import { onAbort } from '../../agent/on-abort.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { PostActing } from '../../events/post-acting.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { JudgedCall } from '../../loops/judge-call.ts';
import { type RawResult, rawResult } from '../../loops/raw-result.ts';
import { describeTool, type Tool, type ToolContext } from '../../pipeline/define/tool.ts';
import { anyInput } from '../../schemas/input-schema.ts';
import type { HostRun } from './host-run.ts';
import { type HostDetails, type HostTool, toToolCall } from './host-types.ts';

/** The tools of one run, each with hooks. */
export interface HookedTools {
  /** Returns the tool with hooks, and the same object for the same tool. `all` returns the current tools. */
  hook(tool: HostTool, all: () => readonly HostTool[]): HostTool;
  /** Converts tools for the run. Tools of hooks are left out, because the run already has them. */
  toTools(tools: readonly HostTool[]): readonly Tool[];
  /** Returns the original tools, without those of hooks. */
  plain(tools: readonly HostTool[]): HostTool[];
  /** Converts a tool of a hook for the runner. */
  bring(tool: Tool): HostTool;
}

interface UnderWay {
  readonly context: unknown;
  readonly details: HostDetails;
  /** The arguments as the model wrote them, and the evaluated call if no hook changed them. */
  readonly given: string;
}

interface Ended {
  readonly raw?: RawResult;
  readonly thrown?: { readonly error: unknown };
}

export function hookedTools(host: HostRun): HookedTools {
  const hooked = new WeakMap<HostTool, HostTool>();
  const plain = new WeakMap<HostTool, HostTool>();
  const known = new WeakMap<HostTool, Tool>();
  const underWay = new Map<string, UnderWay>();
  const ended = new Map<string, Ended>();
  /** Calls for which the runner requested approval. */
  const asked = new Set<string>();
  /** Tools of hooks, which the run already has. */
  const brought = new WeakSet<HostTool>();

  const toTool = (tool: HostTool): Tool => {
    const made = known.get(tool) ?? {
      name: tool.name,
      description: tool.description ?? '',
      // The runner validates the input itself, once, when the tool runs.
      inputSchema: anyInput,
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
    // The given tool comes first, because another namespace may have a tool with the same name.
    const those = (): readonly HostTool[] => [tool, ...all().filter(({ name }) => name !== tool.name)];
    /** Returns true if the tool that will run needs approval for the evaluated input. `input` is the model's own. */
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
        if (judged.state === 'suspended') return `Not run: ${judged.pending?.call.prompt ?? 'the call needs approval'}`;
        // If the runner requested no approval, that does not approve a call that hooks changed.
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
        throw new Error(`The tool "${name}" of a hook cannot run without the hooks.`);
      };
      const made = { ...shape, deferLoading: false, isEnabled: async () => true, invoke: never } as HostTool;
      brought.add(made);
      return made;
    },
  };
}

const UNASKED = 'the host shows no further approval prompt for this call';

/** Copies a tool, including its non-enumerable properties. */
function wrapped(tool: HostTool, changes: object): HostTool {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(tool), ...fieldsOf(changes) }) as HostTool;
}

function fieldsOf(changes: object): PropertyDescriptorMap {
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

/** After the runner's timeout (`timeoutMs`), the run stops waiting, although the tool may continue. */
function untilCut<T>(work: T | Promise<T>, signal: AbortSignal | undefined): T | Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const unlink = onAbort(signal, () => reject(signal.reason));
    Promise.resolve(work).then(resolve, reject).finally(unlink);
  });
}

/** Returns the arguments as the model wrote them, if no hook changed them. */
function argumentsOf(given: string, input: unknown): string {
  const text = JSON.stringify(input);
  return text === JSON.stringify(toToolCall('', '', given).input) ? given : text;
}

/** Returns the runner's details for a tool, with the evaluated call and a signal that ends with the call. */
function detailsFor(
  { details }: UnderWay,
  tool: HostTool,
  { toolCall: { name, input }, signal }: ToolContext,
  { plain }: HostRun,
): HostDetails {
  const { toolCall } = details;
  const own = JSON.stringify(input) === JSON.stringify(toToolCall('', '', String(toolCall?.['arguments'])).input);
  // The runner finds the run of an agent used as a tool by its call object.
  const same = tool.on !== undefined || (own && toolCall?.['name'] === name);
  const call = same ? toolCall : { ...toolCall, name, arguments: JSON.stringify(input) };
  const either = AbortSignal.any([signal, ...(details.signal ? [details.signal] : [])]);
  const fields = Object.getOwnPropertyDescriptors(details) as { [key: PropertyKey]: PropertyDescriptor };
  for (const key of Reflect.ownKeys(fields)) {
    const value = fields[key]?.value as { readonly modelProvider?: unknown } | undefined;
    if (value?.modelProvider !== undefined && value.modelProvider === plain?.hooked)
      fields[key] = { ...fields[key], value: { ...value, ...plain.config } };
  }
  return Object.defineProperties({}, { ...fields, ...fieldsOf({ toolCall: call, signal: either }) });
}

/** Returns the outcome of a call. The runner has no error results, so the model reads errors as text. */
function outputOf(post: PostActing | undefined, ended?: Ended): unknown {
  if (!post) return 'Not run: a sub-agent has a pending call.';
  // With `errorFunction: null`, the tool throws instead of reporting the error to the model.
  if (post.outcome === 'failed' && ended?.thrown) throw ended.thrown.error;
  return post.outcome === 'executed' && ended?.raw ? ended.raw.restore(post.result) : post.result.content;
}
