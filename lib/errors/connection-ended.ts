import { HooklineError } from '../errors.ts';

const MESSAGE = 'the connection ended before the model finished';

/** What an adapter throws where the answer of a model breaks off. */
export function connectionEnded(): HooklineError {
  return new HooklineError('MODEL_FAILED', MESSAGE);
}

/** Whether an error says that the answer of a model broke off, also where an adapter has put the name of the model before it. */
export function isConnectionEnded(message: string): boolean {
  return message.endsWith(MESSAGE);
}
