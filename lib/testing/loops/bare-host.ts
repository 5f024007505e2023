import type { FinishReason } from '../../events/post-reasoning.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { LoopTool, LoopTurn } from './loop-host.ts';

/** One answer of the scene's model, with all that answers may have. */
export interface BareTurn extends LoopTurn {
  /** Thoughts that come before the text. */
  readonly thoughts?: readonly string[];
  /** How the answer ends, whatever is in it. Default: `toolCalls` with calls, else `stop`. */
  readonly finishReason?: FinishReason;
  /** Whether the inputs of calls are streamed before the calls, where models of the host can do that. */
  readonly streamsInput?: boolean;
}

/** What a host is to run: with the hooks of `pipeline`, or as it is where there is none. */
export interface BareScene {
  readonly pipeline: Pipeline | undefined;
  readonly question: string;
  readonly turns: readonly BareTurn[];
  readonly tools: readonly LoopTool[];
  readonly streamed: boolean;
  /** One of the host's `variants`. */
  readonly variant: string;
}

/** A loop that can be run with hooks and without them. */
export interface BareHost {
  readonly name: string;
  /** Ways to call the host that are tried beside each other: options of a call, modes of a stream. Default: `plain`. */
  readonly variants?: readonly string[];
  /**
   * Runs the scene. Gives all that came of it as JSON: results or parts of the stream, steps, reasons, prompts, errors, and what each promise
   * settled with. Whatever is another in each run (ids that the host makes, times) has to be left out.
   */
  play(scene: BareScene): Promise<JsonValue>;
}
