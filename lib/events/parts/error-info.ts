import { z } from 'zod';
import { isError, messageOf, propertyOf, textOf } from '../../errors/describe-thrown.ts';

/** An error as data. It survives JSON, unlike an Error object, which becomes `{}`. */
export type ErrorInfo = {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorInfo;
};

/** Schema of an `ErrorInfo`. */
export const errorInfoSchema: z.ZodType<ErrorInfo> = z.strictObject({
  name: z.string(),
  message: z.string(),
  code: z.string().exactOptional(),
  stack: z.string().exactOptional(),
  cause: z.lazy(() => errorInfoSchema).exactOptional(),
});

const MAX_CAUSES = 8;

/** Converts any thrown value to data. It keeps up to eight nested causes. */
export function toErrorInfo(thrown: unknown, depth = 0): ErrorInfo {
  if (!isError(thrown)) return { name: 'Error', message: messageOf(thrown) };
  const [name, code, stack, cause] = ['name', 'code', 'stack', 'cause'].map((key) => propertyOf(thrown, key));
  return {
    name: typeof name === 'string' ? textOf(name) : 'Error',
    message: messageOf(thrown),
    ...(typeof code === 'string' && { code: textOf(code) }),
    ...(typeof stack === 'string' && { stack: textOf(stack) }),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: toErrorInfo(cause, depth + 1) }),
  };
}
