// The types of Mastra that Hookline uses, by their shape.

/** The context of an invocation. Mastra passes it when it requests the model. */
export interface HostContext {
  entries(): Iterable<readonly [string, unknown]>;
}

/** The context that a tool receives. */
export interface ToolContext {
  readonly requestContext?: HostContext;
  readonly runId?: string;
  readonly abortSignal?: AbortSignal;
  readonly writer?: { write(value: unknown): Promise<void>; custom(value: unknown): Promise<void> };
  readonly agent?: {
    readonly toolCallId?: string;
    readonly messages?: readonly never[];
    readonly suspend?: (payload: object) => Promise<unknown>;
    readonly [field: string]: unknown;
  };
}

/** A tool of Mastra's `createTool`, or of the AI SDK. */
export interface MastraTool {
  /** `provider-defined` or `provider` for a tool that the provider runs. */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: generic in the input of the tool.
  readonly execute?: ((input: any, context: any) => unknown) | undefined;
}

/** Tools by the names that a model uses. */
export type MastraTools = Readonly<Record<string, MastraTool>>;

/** The fields of a Mastra agent that Hookline uses. */
export interface MastraAgent {
  // biome-ignore lint/suspicious/noExplicitAny: generic in the output of the agent.
  generate(messages: any, options?: any): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: generic in the output of the agent.
  stream(messages: any, options?: any): Promise<any>;
}

/** The options of an invocation that Hookline uses. */
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

/** Mastra's own hooks around each tool. */
export interface ToolHooks {
  beforeToolCall?(call: { readonly toolName: string }): Promise<{ readonly proceed?: boolean } | undefined>;
  afterToolCall?(call: object): unknown;
}

/** The arguments of an input processor. It may modify the tools. */
export interface HostStep {
  readonly tools?: Readonly<Record<string, MastraTool>>;
  readonly model?: unknown;
}

/** A processor of requests. */
export interface HostProcessor {
  readonly id?: string;
  processInputStep?(step: HostStep): Promise<HostStep | undefined>;
  processLLMRequest?(request: unknown): Promise<{ readonly response?: unknown } | undefined>;
  /** Returns the tools that a processor loaded for a resumed call. */
  getLoadedToolsForRequestContext?(step: HostStep): Promise<HostStep['tools']>;
  readonly [field: string]: unknown;
}
