import type { Abort } from '../../../events/decisions/decision.ts';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { ReasoningChunk } from '../../../events/reasoning-chunk.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** A part of a reply that the client shows. */
export interface ShownPart {
  readonly kind: 'text' | 'thinking';
  readonly id: string;
  text: string;
  open: boolean;
}

/** The client's state of one run, of the agent or a sub-agent. */
export interface ShownRun {
  readonly runId: string;
  readonly resumedFrom?: string;
  readonly parentRunId?: string;
  readonly agent: string;
  /** Fields that identify the run in its events. Empty for the agent's own run. */
  readonly owner: { readonly subagentRunId?: string };
  /** The parts of the current or last model step, by block. */
  parts: Map<ReasoningChunk['block'], ShownPart>;
  attempt: number;
  readonly steps: Set<string>;
  /** Running calls, by id on the wire. */
  readonly acting: Set<string>;
  /** Progress of tools, by the call's id on the wire. */
  readonly outputs: Map<string, { readonly messageId: string; attempt: number; length: number }>;
  /** The last reply, and whether it contains calls. */
  answer: { readonly text: string; readonly called: boolean } | undefined;
  /** The initial content of tools' progress, by message. */
  readonly reports: Map<string, JsonObject>;
  /** The decision that ends the run. */
  abort: Abort | undefined;
  over: boolean;
  /** True if the client receives no events of the run. */
  readonly hidden: boolean;
}

export function shownRun({ runId, resumedFrom, parentRunId, agent, depth }: RunInfo, hidden = false): ShownRun {
  return {
    runId,
    ...(resumedFrom !== undefined && { resumedFrom }),
    ...(parentRunId !== undefined && { parentRunId }),
    agent,
    owner: depth > 0 && !hidden ? { subagentRunId: runId } : {},
    parts: new Map(),
    attempt: 1,
    steps: new Set(),
    acting: new Set(),
    outputs: new Map(),
    answer: undefined,
    reports: new Map(),
    abort: undefined,
    over: false,
    hidden,
  };
}
