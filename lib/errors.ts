/** Meaning and fix of each error code. The keys are the closed union of codes. */
export const errorCodes = {
  HOOK_INVALID: 'A hook definition is invalid. The message names the field.',
  HOOK_DUPLICATE: 'Two hooks or two tools of one pipeline have the same name. Rename one.',
  HOOK_CONTRACT: 'A hook returned a value that its event does not allow.',
  HOOK_FAILED: 'A hook threw an error, see `cause`.',
  HOOK_TIMEOUT: 'A hook exceeded its timeout. Increase `timeoutMs`, or make the hook faster.',
  CHANGE_ILLEGAL: '`modify` was called with a field that hooks may not change on this event.',
  DECISION_ILLEGAL: 'A hook made a decision that this event does not allow.',
  NOT_JSON: 'A value cannot be written as JSON.',
  OPTIONS_INVALID: 'Options do not match their schema. The message lists every error.',
  TOOL_INVALID: 'A tool definition is invalid. The message names the field.',
  TOOL_FAILED: 'A tool threw an error, see `cause`.',
  MODEL_FAILED: 'A model request failed, or the model broke its contract, see `cause`.',
  SCRIPT_EXHAUSTED: 'A scripted model received more requests than its script has turns.',
  BUFFER_OVERFLOW: 'A source pushed faster than its hooks work. Pull from it, slow it down, or set an overflow policy.',
  VIRTUAL_TIME: 'A promise cannot settle in virtual time. Return an Observable.',
  STATE_INVALID: 'A state value does not match its schema, or two keys have the same name.',
  SEAL_MISUSED: '`context.seal` was called outside `on.preActing`, or a placeholder is in a place without effect.',
  SNAPSHOT_INVALID: 'A snapshot does not match its schema or version.',
  SNAPSHOT_STALE: 'The session has changed since the snapshot was created.',
  RECOVERY_INVALID: 'A run cannot continue from its journal: an event is missing, or the run has ended.',
  RUN_ABORTED: 'A hook ended a run in a framework. `decision` has the name of the hook and the reason.',
  ANSWER_INVALID: 'An answer is missing, or names a call that is not pending.',
  TRANSCRIPT_FAILED: 'The transcript store failed, see `cause`.',
  DELIVERY_FAILED: 'The host could not deliver output to its user, see `cause`.',
  PROCESS_FAILED: 'A hook process did not start, exited, or broke its protocol, see the message.',
  INPUT_INVALID: 'A file, an argument or a message of the caller is invalid.',
  RULE_INVALID:
    'A redaction rule is invalid, or does not work in a stream. The message has the reason and the fix for each rule.',
  CONFIG_INVALID: 'A configuration is invalid. The message lists every error with its place.',
  STORE_CONFLICT: 'Another writer has changed the document. Read it again.',
  STORE_FAILED: 'A store could not read or write, see `cause`.',
  PATH_OUTSIDE: 'A path is outside the workspace.',
} as const;

/** The closed union of error codes. */
export type ErrorCode = keyof typeof errorCodes;

const BRAND = Symbol.for('hookline.error');

/**
 * The only error class of Hookline. `code` is the kind of error. `message` contains the problem, its place and the fix. `cause` is the original
 * error.
 */
export class HooklineError extends Error {
  override readonly name: string = 'HooklineError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

Object.defineProperty(HooklineError.prototype, BRAND, { value: true });

// Errors of another copy of this package, such as of the other module system, also match. Subclasses match only their own instances.
Object.defineProperty(HooklineError, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    if (this !== HooklineError) return Function.prototype[Symbol.hasInstance].call(this as typeof HooklineError, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  },
});
