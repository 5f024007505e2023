import type { ToolChoice } from '../../events/parts/model-options.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';

/** One answer of the scene's model: text chunks and calls. With `error`, the request fails instead. */
export interface LoopTurn {
  readonly chunks: readonly string[];
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: JsonObject }[];
  readonly error?: Error;
}

/** A tool of the scene. It reports `progress` before its end. If `execute` throws, the tool fails. */
export interface LoopTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object of strings. */
  readonly inputSchema: JsonObject;
  readonly progress?: readonly string[];
  execute(input: JsonObject): unknown;
}

/** The scene for a host: its loop, with the hooks of `pipeline` around its model and tools. */
export interface LoopScene {
  readonly pipeline: Pipeline;
  readonly agent: string;
  readonly question: string;
  readonly turns: readonly LoopTurn[];
  readonly tools: readonly LoopTool[];
  readonly streamed: boolean;
  /** Owner of the run, which events must contain. */
  readonly who?: Required<Pick<RunInfo, 'sessionId' | 'userId' | 'metadata'>>;
  /** Text may be shown only after it has settled. */
  readonly buffer?: boolean;
}

/** Content of a model request, without messages. */
export interface LoopRequest {
  /** Names of the tools. */
  readonly tools: readonly string[];
  /** In Hookline's format, whatever the host's name for it is. */
  readonly toolChoice?: ToolChoice;
  readonly model?: string;
}

/** Outcome of the scene. Output may be formatted with `JSON.stringify`. */
export interface LoopOutcome {
  /** Everything that the consumer of the run received: all stream parts, or the result. */
  readonly screen: string;
  /** Prompts of the model, one per request. */
  readonly prompts: readonly string[];
  /** The same requests, without messages. */
  readonly requests?: readonly LoopRequest[];
  /** Conversation that the host stores. */
  readonly stored: string;
  /** The error that the run rejected with or that ended its stream. */
  readonly error?: unknown;
  /** True if the host reports a pending call. */
  readonly waits?: boolean;
  /** Answers the pending call and resumes. */
  readonly resume?: (approved: boolean) => Promise<LoopOutcome>;
}

/** A loop with hooks, as the contract tests it. */
export interface LoopHost {
  readonly name: string;
  /** Unsupported cases, by title, with the reason. The adapter's guide also contains it. */
  readonly cannot?: Readonly<Record<string, string>>;
  /** False for a host without approval prompts. It must deny calls that an approver suspends. */
  readonly asks?: boolean;
  run(scene: LoopScene): Promise<LoopOutcome>;
}
