import type { ScriptError } from './script-schema.ts';

export function scriptError(error: ScriptError): Error {
  if (typeof error === 'string') return new Error(error);
  return Object.assign(new Error(error.message), error.name === undefined ? {} : { name: error.name });
}
