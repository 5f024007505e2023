import { z } from 'zod';

/** An error as data: it survives JSON, where an Error object would become `{}`. */
export type ErrorInfo = {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ErrorInfo;
};

export const errorInfoSchema: z.ZodType<ErrorInfo> = z.strictObject({
  name: z.string(),
  message: z.string(),
  code: z.string().exactOptional(),
  stack: z.string().exactOptional(),
  cause: z.lazy(() => errorInfoSchema).exactOptional(),
});

const MAX_CAUSES = 8;

/** Whatever was thrown, as data; a chain of causes is kept up to eight deep. */
export function toErrorInfo(thrown: unknown, depth = 0): ErrorInfo {
  if (!(thrown instanceof Error)) return { name: 'Error', message: describe(thrown) };
  const code = (thrown as { code?: unknown }).code;
  return {
    name: String(thrown.name),
    message: String(thrown.message),
    ...(typeof code === 'string' && { code }),
    ...(typeof thrown.stack === 'string' && { stack: thrown.stack }),
    ...(thrown.cause !== undefined && depth < MAX_CAUSES && { cause: toErrorInfo(thrown.cause, depth + 1) }),
  };
}

function describe(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}
