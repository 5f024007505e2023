/** The value that a Mastra tool returns if its input or result does not match a schema. */
interface Misfit {
  readonly error: true;
  readonly validationErrors: ValidationErrors;
}

interface ValidationErrors {
  readonly errors?: readonly unknown[];
  readonly fields?: { readonly [name: string]: ValidationErrors };
}

/** Returns the result of a tool. A schema error keeps only the paths, because Mastra quotes the input. `shown` is the input that hooks may see. */
export function withoutValues(result: unknown, shown: unknown): unknown {
  if (!isMisfit(result)) return result;
  const places = new Set(placesOf(result.validationErrors, shown, []));
  const message = `The tool did not run, or its result was rejected: schema validation failed at ${[...places].join(', ') || 'input'}.`;
  return { error: true, message, validationErrors: { errors: [message], fields: {} } };
}

function isMisfit(result: unknown): result is Misfit {
  const { error, validationErrors } = (result ?? {}) as Partial<Misfit>;
  return error === true && typeof validationErrors === 'object' && validationErrors !== null;
}

/** Returns the paths of issues. A path within a sealed value is cut at that value. */
function placesOf(
  { errors = [], fields = {} }: ValidationErrors,
  shown: unknown,
  path: readonly string[],
): readonly string[] {
  const here = path.join('.') || 'input';
  if (isSealed(shown)) return [here];
  const within = Object.entries(fields).flatMap(([name, issues]) =>
    placesOf(issues, (shown as { readonly [name: string]: unknown } | undefined)?.[name], [...path, name]),
  );
  return errors.length > 0 ? [here, ...within] : within;
}

function isSealed(shown: unknown): boolean {
  return typeof shown === 'object' && shown !== null && '$sealed' in shown;
}
