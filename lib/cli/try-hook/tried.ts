/** What came of trying a hook once, for people. */
export interface Tried {
  /** JSON that was sent to it, one after the other. */
  readonly sent: readonly unknown[];
  /** What it wrote, as it stands. */
  readonly received: readonly string[];
  /** What it asked the host for, with what it was answered. */
  readonly asked: readonly string[];
  readonly stderr: readonly string[];
  /** What follows from it: `denies the call: not today`, `changes tool_input`, .. */
  readonly meaning: readonly string[];
  /** What has no effect, and the likely mistake. */
  readonly diagnostics: readonly string[];
  readonly ms: number;
  /** Why it could not be tried to the end. */
  readonly failure: string | undefined;
}
