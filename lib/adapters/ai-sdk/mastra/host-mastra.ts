// What is used of Mastra, by its shape.

/** What belongs to one invocation of an agent; Mastra asks for the model with it. */
export interface HostContext {
  entries(): Iterable<readonly [string, unknown]>;
}

/** What a tool is given beside its input. */
export interface ToolContext {
  readonly requestContext?: HostContext;
  readonly runId?: string;
  readonly abortSignal?: AbortSignal;
  readonly writer?: { write(value: unknown): Promise<void>; custom(value: unknown): Promise<void> };
  readonly agent?: {
    readonly toolCallId?: string;
    readonly messages?: readonly never[];
    readonly suspend?: (payload: object) => Promise<unknown>;
    readonly [member: string]: unknown;
  };
}

/** A tool of Mastra's `createTool`, or of the AI SDK. */
export interface MastraTool {
  /** Of a tool that its provider runs: `provider-defined`, or `provider`. */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: generic in the input of the tool.
  readonly execute?: ((input: any, context: any) => unknown) | undefined;
}

/** Tools by the names that a model calls them by. */
export type MastraTools = Readonly<Record<string, MastraTool>>;

/** An agent of Mastra, as far as it is used here. */
export interface MastraAgent {
  // biome-ignore lint/suspicious/noExplicitAny: generic in the output of the agent.
  generate(messages: any, options?: any): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: generic in the output of the agent.
  stream(messages: any, options?: any): Promise<any>;
}

/** Options of one invocation that are used here. */
export interface AgentOptions {
  readonly requestContext?: HostContext;
  readonly abortSignal?: AbortSignal;
  readonly stopWhen?: unknown;
  readonly maxSteps?: number;
  readonly modelSettings?: object;
  readonly toolCallId?: string;
  readonly runId?: string;
  readonly clientTools?: object;
  readonly structuredOutput?: { readonly model?: unknown };
  readonly inputProcessors?: readonly HostProcessor[];
  readonly hooks?: ToolHooks;
  readonly toolsets?: unknown;
  readonly model?: unknown;
  readonly prepareStep?: unknown;
  readonly [option: string]: unknown;
}

/** What Mastra calls around each tool. */
export interface ToolHooks {
  beforeToolCall?(call: { readonly toolName: string }): Promise<{ readonly proceed?: boolean } | undefined>;
  afterToolCall?(call: object): unknown;
}

/** What an input processor is shown of a step; it may write into the tools. */
export interface HostStep {
  readonly tools?: Readonly<Record<string, MastraTool>>;
  readonly model?: unknown;
}

/** What takes part in the making of requests. */
export interface HostProcessor {
  readonly id?: string;
  processInputStep?(step: HostStep): Promise<HostStep | undefined>;
  processLLMRequest?(request: unknown): Promise<{ readonly response?: unknown } | undefined>;
  /** The tools that a processor has loaded for a call that goes on. */
  getLoadedToolsForRequestContext?(step: HostStep): Promise<HostStep['tools']>;
  readonly [member: string]: unknown;
}
