/** A block of a message's content. Its fields depend on `type`. */
export interface HostBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The fields of a LangChain message that Hookline reads. */
/** A call whose input is not valid JSON. */
export interface HostInvalidCall {
  readonly [field: string]: unknown;
}

export interface HostMessage {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly content: string | readonly HostBlock[];
  readonly contentBlocks?: readonly HostBlock[];
  getType(): string;
  readonly tool_calls?: readonly HostToolCall[];
  /** Calls whose input is not valid JSON, and fragments of calls as the model wrote them. */
  readonly invalid_tool_calls?: HostInvalidCall[];
  readonly tool_call_chunks?: unknown[];
  readonly tool_call_id?: string;
  readonly status?: string;
  readonly artifact?: unknown;
  readonly usage_metadata?: HostUsage | undefined;
  readonly response_metadata?: { readonly [field: string]: unknown };
  /** Provider-specific fields. */
  readonly additional_kwargs?: { readonly [field: string]: unknown };
  concat?(chunk: HostMessage): HostMessage;
  /** Also sets the id that checkpoints use. */
  _updateId?(id: string): void;
}

export interface HostUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly input_token_details?: { readonly cache_read?: number };
  readonly output_token_details?: { readonly reasoning?: number };
}

export interface HostToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** A tool of LangChain. Hookline calls its function directly, so output reaches streams and tracers only through the hooks. */
export interface HostTool {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
  readonly responseFormat?: string;
  readonly returnDirect?: boolean;
  readonly metadata?: unknown;
  readonly tags?: unknown;
  invoke(input: unknown, config?: unknown): Promise<unknown>;
  _call?(input: unknown, runManager: undefined, config: unknown): unknown;
}

/** The configuration that LangChain passes to every call: settings of the run, and its output channels. */
export interface HostConfig {
  readonly configurable?: { readonly [name: string]: unknown };
  readonly signal?: AbortSignal;
  readonly writer?: (chunk: unknown) => void;
  readonly [field: string]: unknown;
}

export interface HostRuntime extends HostConfig {
  readonly interrupt?: (value: unknown) => unknown;
}

/** A model request, as a middleware receives it. */
export interface HostModelRequest {
  readonly model: HostModel;
  readonly tools?: readonly object[];
  readonly state: HostState;
  readonly runtime: HostRuntime;
  readonly [field: string]: unknown;
}

/** A tool call, as a middleware receives it. */
export interface HostToolRequest {
  readonly toolCall: HostToolCall;
  readonly tool?: HostTool;
  readonly state: HostState;
  readonly runtime: HostRuntime;
  readonly [field: string]: unknown;
}

export interface HostState {
  readonly messages: readonly HostMessage[];
  readonly _hookline?: string | undefined;
  readonly [field: string]: unknown;
}

/** A chat model, or a wrapper with bound options or deferred configuration. */
export interface HostModel {
  readonly callbacks?: unknown;
  readonly tags?: unknown;
  readonly metadata?: unknown;
  readonly verbose?: unknown;
  readonly profile?: unknown;
  /** The model to which the options are bound. */
  readonly bound?: HostModel;
  readonly kwargs?: object;
  readonly config?: object;
  _getModelInstance?(): Promise<HostModel>;
  bindTools?(tools: readonly object[], options?: object): HostModel;
  getName?(): string;
  getLsParams?(options: object): object;
  toJSON?(): object;
  _generate?(messages: readonly HostMessage[], options: object, runManager: undefined): Promise<HostGenerations>;
  _streamResponseChunks?(
    messages: readonly HostMessage[],
    options: object,
    runManager: undefined,
  ): AsyncIterable<HostGeneration>;
}

export interface HostGeneration {
  readonly text: string;
  readonly message: HostMessage;
  readonly generationInfo?: object;
}

export interface HostGenerations {
  readonly generations: readonly HostGeneration[];
  readonly llmOutput?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: a class of the host, with fields of its own.
type HostClass = new (fields: any) => any;

// biome-ignore lint/suspicious/noExplicitAny: a class of the host, with fields of its own.
type HostBase = abstract new (fields: any) => any;

/**
 * The parts of LangChain that Hookline uses: the module `langchain`, with `BaseChatModel` (from @langchain/core/language_models/chat_models) and
 * `Command` (from @langchain/langgraph) added.
 */
export interface HostLangChain {
  // biome-ignore lint/suspicious/noExplicitAny: generic in the types of its state.
  readonly createMiddleware: (config: any) => any;
  // biome-ignore lint/suspicious/noExplicitAny: overloaded by the kind of its schema.
  readonly tool: (func: any, fields: any) => any;
  // biome-ignore lint/suspicious/noExplicitAny: overloaded by the kind of its schema.
  readonly ToolStrategy: { fromSchema(schema: any): any };
  readonly AIMessage: HostClass;
  readonly AIMessageChunk: HostClass;
  readonly HumanMessage: HostClass;
  readonly SystemMessage: HostClass;
  readonly ToolMessage: HostClass;
  readonly BaseChatModel: HostBase;
  readonly Command: HostClass;
}
