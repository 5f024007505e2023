/** What each error code means and what to do about it. The keys are the closed union of codes. */
export const errorCodes = {
  HOOK_INVALID: 'A hook definition is wrong; the message names the field.',
  HOOK_DUPLICATE: 'Two hooks (or two tools) of one pipeline carry the same name; rename one.',
  HOOK_CONTRACT: 'A hook returned something that its event does not allow.',
  HOOK_FAILED: 'A hook threw; `cause` holds what it threw.',
  HOOK_TIMEOUT: 'A hook took longer than its time-out; raise `timeoutMs` or make it faster.',
  CHANGE_ILLEGAL: 'A helper was asked for a change that this event does not allow.',
  DECISION_ILLEGAL: 'A helper was asked for a decision that this event does not allow.',
  NOT_JSON: 'A value that must survive JSON holds something JSON cannot express.',
  OPTIONS_INVALID: 'Options do not fit their schema; the message lists every fault.',
  TOOL_INVALID: 'A tool definition is wrong; the message names the field.',
  TOOL_FAILED: 'A tool threw; `cause` holds what it threw.',
  MODEL_FAILED: 'A model failed or broke its contract; `cause` holds what it threw.',
  SCRIPT_EXHAUSTED: 'A scripted model was asked for more turns than its script has.',
  BUFFER_OVERFLOW: 'A source pushed faster than its hooks work; pull it, slow it, or declare an overflow policy.',
  VIRTUAL_TIME: 'A promise was met in virtual time, where it can never settle; return an Observable instead.',
  STATE_INVALID: 'A state value does not fit its schema, or two keys share a name.',
  SEAL_MISUSED: '`context.seal` was used outside `on.preActing`, or a placeholder stands where it does not count.',
  SNAPSHOT_INVALID: 'A snapshot does not fit its schema or version.',
  SNAPSHOT_STALE: 'The session has moved on since the snapshot was taken.',
  RUN_ABORTED: 'A hook has ended the run of a wrapped loop; `decision` says which and why.',
  ANSWER_INVALID: 'An answer names a call that is not pending, or is missing.',
  TRANSCRIPT_FAILED: 'The transcript store failed; `cause` holds why.',
  DELIVERY_FAILED: 'The host could not deliver something to its user; `cause` holds why.',
  PROCESS_FAILED: 'A hook process could not be started, has died, or broke its protocol; the message says which.',
  INPUT_INVALID: 'A file, an argument or a message given by the caller is wrong.',
  RULE_INVALID:
    'A redaction rule is wrong, or would not hold in a stream; the message names every rule, why, and the way out.',
  CONFIG_INVALID: 'A configuration is wrong; the message lists every fault with its place.',
  STORE_CONFLICT: 'A document was changed by somebody else in the meantime; read it again.',
  STORE_FAILED: 'A store could not read or write; `cause` holds why.',
  PATH_OUTSIDE: 'A path leads out of the workspace.',
} as const;

/** The closed union of error codes. */
export type ErrorCode = keyof typeof errorCodes;

const BRAND = Symbol.for('hookline.error');

/** The one error class of Hookline. `code` says what kind, `message` what, where and what to do, `cause` what was underneath. */
export class HooklineError extends Error {
  override readonly name: string = 'HooklineError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

Object.defineProperty(HooklineError.prototype, BRAND, { value: true });

// Errors of another copy of this package, of the other module system say, are such errors too. Classes made of this one keep to themselves.
Object.defineProperty(HooklineError, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    if (this !== HooklineError) return Function.prototype[Symbol.hasInstance].call(this as typeof HooklineError, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  },
});
