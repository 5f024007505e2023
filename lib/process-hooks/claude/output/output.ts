export interface Outcome {
  /** Reason of exit code 2, or of JSON that blocks. */
  readonly block?: string;
  readonly permission?: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly context?: string;
  /** An object, because `undefined` is also a value. */
  readonly updatedOutput?: { readonly value: unknown };
  readonly initialUserMessage?: string;
  /** `continue: false`: ends the run, with the reason for the user. */
  readonly stop?: string;
  /** For the user. */
  readonly systemMessage?: string;
  /** Error of invalid JSON output. It counts as a failure if failures block. */
  readonly invalid?: string;
}
