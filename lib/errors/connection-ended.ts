import { HooklineError } from '../errors.ts';

const MESSAGE = 'the connection ended before the model finished';

/** The error that an adapter throws if the connection ends during the answer of a model. */
export function connectionEnded(): HooklineError {
  return new HooklineError('MODEL_FAILED', MESSAGE);
}

/** Returns whether an error has this message, also if an adapter added the name of the model before it. */
export function isConnectionEnded(message: string): boolean {
  return message.endsWith(MESSAGE);
}
