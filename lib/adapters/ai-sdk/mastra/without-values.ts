/** What a tool of Mastra gives where its input, or its result, does not fit a schema. */
interface Misfit {
  readonly error: true;
  readonly validationErrors: Faults;
}

interface Faults {
  readonly errors?: readonly unknown[];
  readonly fields?: { readonly [name: string]: Faults };
}

/** The result of a tool; a misfit says where it is, and nothing else: Mastra quotes the input. `shown` is the input as hooks may see it. */
export function withoutValues(result: unknown, shown: unknown): unknown {
  if (!isMisfit(result)) return result;
  const places = new Set(placesOf(result.validationErrors, shown, []));
  const message = `The tool was not run, or its result cannot be used: a schema of it does not fit at ${[...places].join(', ') || 'input'}.`;
  return { error: true, message, validationErrors: { errors: [message], fields: {} } };
}

function isMisfit(result: unknown): result is Misfit {
  const { error, validationErrors } = (result ?? {}) as Partial<Misfit>;
  return error === true && typeof validationErrors === 'object' && validationErrors !== null;
}

/** The places of faults; of what is within a sealed value, its own place. */
function placesOf({ errors = [], fields = {} }: Faults, shown: unknown, path: readonly string[]): readonly string[] {
  const here = path.join('.') || 'input';
  if (isSealed(shown)) return [here];
  const within = Object.entries(fields).flatMap(([name, faults]) =>
    placesOf(faults, (shown as { readonly [name: string]: unknown } | undefined)?.[name], [...path, name]),
  );
  return errors.length > 0 ? [here, ...within] : within;
}

function isSealed(shown: unknown): boolean {
  return typeof shown === 'object' && shown !== null && '$sealed' in shown;
}
