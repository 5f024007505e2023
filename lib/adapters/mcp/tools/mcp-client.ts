import type { KnownFields } from '../../../loops/known-fields.ts';
import type { CallResult } from '../content/content-block.ts';

/** The server's hints about its tool. They are not verified. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: object | undefined;
  readonly outputSchema?: object | undefined;
  readonly annotations?: ToolAnnotations | undefined;
}

/** Options of a call that both generations of the SDK accept. */
export interface CallSettings {
  readonly signal: AbortSignal;
  readonly onprogress: (progress: Progress) => void;
  readonly resetTimeoutOnProgress: boolean;
  readonly timeout?: number;
  /** SDK v2 only: requests for input are returned as a result. */
  readonly allowInputRequired?: boolean;
}

/** Progress of a call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the parameters of the two generations have nothing in common.
type Theirs = any;

/** The fields of a connected `Client` that Hookline uses, of `@modelcontextprotocol/client` or `@modelcontextprotocol/sdk`. */
export interface McpClient {
  listTools(
    params?: Theirs,
    options?: Theirs,
  ): Promise<{ readonly tools: readonly Theirs[]; readonly nextCursor?: string | undefined }>;
  callTool(params: Theirs, ...rest: Theirs[]): Promise<Theirs>;
  setNotificationHandler(method: Theirs, handler: Theirs): void;
  getServerVersion?(): { readonly name: string } | undefined;
}

/** The fields of a client that Hookline calls. Your own calls of other methods run without hooks. */
export const knownFields = {
  'a client': { hooked: ['callTool'], passed: ['getServerVersion', 'listTools', 'setNotificationHandler'] },
} as const satisfies Readonly<Record<string, KnownFields & { readonly [use: string]: readonly (keyof McpClient)[] }>>;

/** Calls a tool with either generation of the SDK. */
export function callWith(
  client: McpClient,
  call: { readonly name: string; readonly arguments: unknown },
  settings: CallSettings,
): Promise<CallResult> {
  return isSecond(client) ? client.callTool(call, settings) : client.callTool(call, undefined, settings);
}

/** Returns true for a client of SDK v2. It identifies methods by string, and results by method. */
export function isSecond(client: McpClient): boolean {
  return 'setVersionNegotiation' in client;
}
