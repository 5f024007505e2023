import type { ToolChoice } from '../../events/parts/model-options.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';

/** One answer of the scene's model: text in chunks, and calls. With `error`, the request fails with it, and there is nothing else. */
export interface LoopTurn {
  readonly chunks: readonly string[];
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: JsonObject }[];
  readonly error?: Error;
}

/** A tool of the scene. `progress` is what it reports before its end. Where `execute` throws, the tool fails. */
export interface LoopTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object of strings. */
  readonly inputSchema: JsonObject;
  readonly progress?: readonly string[];
  execute(input: JsonObject): unknown;
}

/** What a host is to run: its loop, with the hooks of `pipeline` around its model and its tools. */
export interface LoopScene {
  readonly pipeline: Pipeline;
  readonly agent: string;
  readonly question: string;
  readonly turns: readonly LoopTurn[];
  readonly tools: readonly LoopTool[];
  readonly streamed: boolean;
  /** Whose run it is; events have to say it. */
  readonly who?: Required<Pick<RunInfo, 'sessionId' | 'userId' | 'metadata'>>;
  /** Text is to be shown only when it has settled. */
  readonly buffer?: boolean;
}

/** What the model was given in a request, beside the messages. */
export interface LoopRequest {
  /** The names of the tools. */
  readonly tools: readonly string[];
  /** As hooks call it, whatever the host's word for it is. */
  readonly toolChoice?: ToolChoice;
  readonly model?: string;
}

/** What came of it. Of everything that reached somebody, `JSON.stringify` may be given. */
export interface LoopOutcome {
  /** All that the consumer of the run has got: every part of the stream, or the result. */
  readonly screen: string;
  /** What the model was asked, request by request. */
  readonly prompts: readonly string[];
  /** The same requests: what was in them beside the messages. */
  readonly requests?: readonly LoopRequest[];
  /** What the host keeps of the conversation. */
  readonly stored: string;
  /** What the run rejected with, or what its stream ended by. */
  readonly error?: unknown;
  /** Whether the host says that a call waits for an answer. */
  readonly waits?: boolean;
  /** Answers the call that waits, and goes on. */
  readonly resume?: (approved: boolean) => Promise<LoopOutcome>;
}

/** A loop with hooks around it, as the contract tries it. */
export interface LoopHost {
  readonly name: string;
  /** What this host cannot do, by the title of the case: the reason, which stands in the adapter's guide too. */
  readonly cannot?: Readonly<Record<string, string>>;
  /** False where nobody can be asked: what an approver suspends has to be refused then. */
  readonly asks?: boolean;
  run(scene: LoopScene): Promise<LoopOutcome>;
}
