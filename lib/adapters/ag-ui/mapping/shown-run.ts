import type { Abort } from '../../../events/decisions/decision.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { ReasoningChunk } from '../../../events/reasoning-chunk.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** A piece of an answer that is on the screen. */
export interface ShownPart {
  readonly kind: 'text' | 'thinking';
  readonly id: string;
  text: string;
  open: boolean;
}

/** What is on the screen of one run, the agent's own or a sub-agent's. */
export interface ShownRun {
  readonly runId: string;
  readonly resumedFrom?: string;
  readonly parentRunId?: string;
  readonly agent: string;
  /** Members that name the run in each of its events; none for the agent's own. */
  readonly owner: { readonly subagentRunId?: string };
  /** The parts of the reasoning under way, or of the last one, by block. */
  parts: Map<ReasoningChunk['block'], ShownPart>;
  attempt: number;
  /** Steps that are open, by name. */
  readonly steps: Set<string>;
  /** The calls under way, by their ids on the wire. */
  readonly acting: Set<string>;
  /** What tools have reported, by the id of the call on the wire. */
  readonly outputs: Map<string, { readonly messageId: string; attempt: number; length: number }>;
  /** The answer that stands last, and whether it has called tools. */
  answer: { readonly text: string; readonly called: boolean } | undefined;
  /** What tools have reported, as it stood on the screen at first, by message. */
  readonly reports: Map<string, JsonObject>;
  /** The decision that ends the run. */
  abort: Abort | undefined;
  over: boolean;
}

export function shownRun({ runId, resumedFrom, parentRunId, agent, depth }: RunInfo): ShownRun {
  return {
    runId,
    ...(resumedFrom !== undefined && { resumedFrom }),
    ...(parentRunId !== undefined && { parentRunId }),
    agent,
    owner: depth > 0 ? { subagentRunId: runId } : {},
    parts: new Map(),
    attempt: 1,
    steps: new Set(),
    acting: new Set(),
    outputs: new Map(),
    answer: undefined,
    reports: new Map(),
    abort: undefined,
    over: false,
  };
}
