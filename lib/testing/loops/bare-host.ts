import type { FinishReason } from '../../events/parts/finish-reason.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { LoopTool, LoopTurn } from './loop-host.ts';

/** One answer of the scene's model, with all parts that answers may have. */
export interface BareTurn extends LoopTurn {
  /** Thinking before the text. */
  readonly thoughts?: readonly string[];
  /** Finish reason, whatever the answer contains. Default: `toolCalls` with calls, else `stop`. */
  readonly finishReason?: FinishReason;
  /** True if inputs of calls are streamed before the calls, if models of the host support it. */
  readonly streamsInput?: boolean;
}

/** The scene for a host, with the hooks of `pipeline`. Without a pipeline, the host runs unchanged. */
export interface BareScene {
  readonly pipeline: Pipeline | undefined;
  readonly question: string;
  readonly turns: readonly BareTurn[];
  readonly tools: readonly LoopTool[];
  readonly streamed: boolean;
  /** One of the host's `variants`. */
  readonly variant: string;
}

/** A loop that can run with and without hooks. */
export interface BareHost {
  readonly name: string;
  /** Ways to call the host that are tested in addition, such as call options or stream modes. Default: `plain`. */
  readonly variants?: readonly string[];
  /**
   * Runs the scene. Resolves with everything observable as JSON: results or stream parts, steps, reasons, prompts, errors, and settled promises.
   * Values that differ per run (ids of the host, times) must be left out.
   */
  play(scene: BareScene): Promise<JsonValue>;
}
