/** A class of Strands. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters are of the package, which is not imported.
export type HostClass<T = object> = abstract new (...args: any[]) => T;

/** The module `@strands-agents/sdk`, as far as it is used here. */
export interface HostStrands {
  readonly Model: HostClass;
  readonly Message: HostClass;
  readonly FunctionTool: HostClass;
  readonly ToolResultBlock: HostClass;
  readonly ToolStreamEvent: HostClass;
  readonly BeforeInvocationEvent: HostClass;
  readonly AfterInvocationEvent: HostClass;
  readonly AfterModelCallEvent: HostClass;
  readonly AfterToolsEvent: HostClass;
  readonly InvokeModelStage: object;
  readonly ExecuteToolStage: object;
  // biome-ignore lint/suspicious/noExplicitAny: its data is of the package, which is not imported.
  contentBlockFromData(data: any): object;
  // biome-ignore lint/suspicious/noExplicitAny: its data is of the package, which is not imported.
  toolResultContentFromData(data: any): object;
}
