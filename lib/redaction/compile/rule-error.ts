/** An invalid rule, with the fix. The compiler of rules catches it, so callers never receive it. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
  readonly fix: string;

  constructor(reason: string, fix: string) {
    super(reason);
    this.fix = fix;
  }
}
