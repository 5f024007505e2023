import type * as api from '@opentelemetry/api';
import { HooklineError } from '../errors.ts';

/** The package `@opentelemetry/api`, which is an optional peer. */
export type OtelApi = typeof api;

const PEER = '@opentelemetry/api';

/** Loads the package. If it is missing, `OPTIONS_INVALID` names the package to install. */
export function loadApi(hook: string): OtelApi {
  try {
    return require('@opentelemetry/api');
  } catch (cause) {
    const message = `The hook "${hook}" needs the package ${PEER}. Run: npm install ${PEER}.`;
    throw new HooklineError('OPTIONS_INVALID', message, { cause });
  }
}
