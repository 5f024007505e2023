import type { Settled } from '../events/hook-event.ts';

/** What one hook did to one event. `paths` of a change; `ms` of its own time. */
export interface TraceStep {
  readonly hook: string;
  readonly priority: number;
  readonly stage: 'on' | 'through' | 'around' | 'approve';
  readonly effect: 'passed' | 'changed' | 'decided' | 'skipped' | 'failed';
  readonly paths?: readonly string[];
  readonly decision?: string;
  readonly reason?: string;
  readonly ms: number;
}

/** A settled event and what every hook did to it, in order. */
export interface TraceReport {
  readonly event: Settled;
  readonly steps: readonly TraceStep[];
}
