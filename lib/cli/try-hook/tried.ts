/** Result of one trial of a hook, for display. */
export interface Tried {
  /** JSON that was sent to it, in order. */
  readonly sent: readonly unknown[];
  /** Its raw output. */
  readonly received: readonly string[];
  /** Its requests to the host, with the answers. */
  readonly asked: readonly string[];
  readonly stderr: readonly string[];
  /** Effects of the output: `denies the call: not today`, `changes tool_input`, .. */
  readonly meaning: readonly string[];
  /** Parts without effect, with the likely mistake. */
  readonly diagnostics: readonly string[];
  readonly ms: number;
  /** Why the trial failed. */
  readonly failure: string | undefined;
}
