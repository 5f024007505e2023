/** An invalid rule, with the fix. The compiler of rules catches it, so callers never receive it. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
  readonly wayOut: string;

  constructor(reason: string, wayOut: string) {
    super(reason);
    this.wayOut = wayOut;
  }
}
