import type { KnownMembers } from '../../../loops/known-members.ts';
import type { CallResult } from '../content/content-block.ts';

/** What a server says its tool does. Nobody has checked it. */
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

/** How a call is made, of what both generations of the SDK take. */
export interface CallSettings {
  readonly signal: AbortSignal;
  readonly onprogress: (progress: Progress) => void;
  readonly resetTimeoutOnProgress: boolean;
  readonly timeout?: number;
  /** Of SDK v2: what a server wants to know comes as a result. */
  readonly allowInputRequired?: boolean;
}

/** What a server tells while it works. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the parameters of the two generations have nothing in common.
type Theirs = any;

/** The members of a connected `Client` that are used: of `@modelcontextprotocol/client`, or of `@modelcontextprotocol/sdk`. */
export interface McpClient {
  listTools(
    params?: Theirs,
    options?: Theirs,
  ): Promise<{ readonly tools: readonly Theirs[]; readonly nextCursor?: string | undefined }>;
  callTool(params: Theirs, ...rest: Theirs[]): Promise<Theirs>;
  setNotificationHandler(method: Theirs, handler: Theirs): void;
  getServerVersion?(): { readonly name: string } | undefined;
}

/** Members of a client that are called. What else it has, its owner may call: there are no hooks around that. */
export const knownMembers = {
  'a client': { hooked: ['callTool'], passed: ['getServerVersion', 'listTools', 'setNotificationHandler'] },
} as const satisfies Readonly<Record<string, KnownMembers & { readonly [use: string]: readonly (keyof McpClient)[] }>>;

/** Calls a tool with whichever generation of the SDK it is. */
export function callWith(
  client: McpClient,
  call: { readonly name: string; readonly arguments: unknown },
  settings: CallSettings,
): Promise<CallResult> {
  return isSecond(client) ? client.callTool(call, settings) : client.callTool(call, undefined, settings);
}

/** Whether it is a client of SDK v2, which names methods by text and results by method. */
export function isSecond(client: McpClient): boolean {
  return 'setVersionNegotiation' in client;
}
