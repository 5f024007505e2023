/**
 * What one hook did to one event. `paths` of a change; `ms` of its own time, which for `around` is that of the step inside, too.
 *
 * What wrappers did stands with the event that their step ends in (postReasoning, postActing or error), once for each time that one was
 * called: `passed` asked once and gave what it was given, `changed` is anything else, an answer without `next` included.
 */
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
