export { errorCodes, HooklineError } from './errors.ts';
