/** What the fake model answers to one request. A call whose input is a text is a custom tool call of Codex. */
export type Turn = { calls: readonly TurnCall[] } | { text: string };

export interface TurnCall {
  name: string;
  /** Codex: the server of a tool of MCP, as `mcp__SERVER`. */
  namespace?: string;
  input: Record<string, unknown> | string;
}

/** A turn that depends on the request, for example on a process ID in the newest result, or on files in the folder of the run. */
export type TurnOf = (body: Record<string, unknown>, bed: string) => Turn | Promise<Turn>;

export const call = (name: string, input: TurnCall['input']): Turn => ({ calls: [{ name, input }] });
