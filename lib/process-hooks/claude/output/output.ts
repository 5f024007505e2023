/** What one handler came to. */
export interface Outcome {
  /** Exit 2, or JSON that blocks: why. */
  readonly block?: string;
  readonly permission?: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly context?: string;
  /** In a field of its own, because nothing is a value too. */
  readonly updatedOutput?: { readonly value: unknown };
  readonly initialUserMessage?: string;
  /** `continue: false`: everything stops, with the reason for the user. */
  readonly stop?: string;
  /** For the user. */
  readonly systemMessage?: string;
  /** JSON that is none, or that does not fit: what is wrong. Counts as a failure where failures block. */
  readonly invalid?: string;
}
