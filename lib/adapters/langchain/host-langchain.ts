/** A piece of a message's content; which members are there depends on `type`. */
export interface HostBlock {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** A message of LangChain, as far as it is used here. */
/** A call whose input is no JSON. */
export interface HostInvalidCall {
  readonly [member: string]: unknown;
}

export interface HostMessage {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly content: string | readonly HostBlock[];
  readonly contentBlocks?: readonly HostBlock[];
  getType(): string;
  readonly tool_calls?: readonly HostToolCall[];
  /** Calls whose input is no JSON, and pieces of calls, as the model has written them. */
  readonly invalid_tool_calls?: HostInvalidCall[];
  readonly tool_call_chunks?: unknown[];
  readonly tool_call_id?: string;
  readonly status?: string;
  readonly artifact?: unknown;
  readonly usage_metadata?: HostUsage | undefined;
  readonly response_metadata?: { readonly [member: string]: unknown };
  /** What a provider says in words of its own. */
  readonly additional_kwargs?: { readonly [member: string]: unknown };
  concat?(chunk: HostMessage): HostMessage;
  /** Sets its id where checkpoints have it, too. */
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

/** A tool of LangChain: its own function is called, so that nothing of it reaches a stream or a tracer but through the hooks. */
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

/** What LangChain gives with every call: the run's own settings and its ways out. */
export interface HostConfig {
  readonly configurable?: { readonly [name: string]: unknown };
  readonly signal?: AbortSignal;
  readonly writer?: (chunk: unknown) => void;
  readonly [member: string]: unknown;
}

export interface HostRuntime extends HostConfig {
  readonly interrupt?: (value: unknown) => unknown;
}

/** What one model request is made of, for a middleware. */
export interface HostModelRequest {
  readonly model: HostModel;
  readonly tools?: readonly object[];
  readonly state: HostState;
  readonly runtime: HostRuntime;
  readonly [member: string]: unknown;
}

/** What one tool call is made of, for a middleware. */
export interface HostToolRequest {
  readonly toolCall: HostToolCall;
  readonly tool?: HostTool;
  readonly state: HostState;
  readonly runtime: HostRuntime;
  readonly [member: string]: unknown;
}

export interface HostState {
  readonly messages: readonly HostMessage[];
  readonly _hookline?: string | undefined;
  readonly [member: string]: unknown;
}

/** A chat model, or what stands for one: with bound options, or chosen later. */
export interface HostModel {
  readonly callbacks?: unknown;
  readonly tags?: unknown;
  readonly metadata?: unknown;
  readonly verbose?: unknown;
  readonly profile?: unknown;
  /** Of a model with options bound to it. */
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
 * What is used of LangChain: the module `langchain` itself, with `BaseChatModel` (of @langchain/core/language_models/chat_models) and `Command`
 * (of @langchain/langgraph) beside it.
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
