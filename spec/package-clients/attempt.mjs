let failed = 0;

/** One line for each thing that is tried: what it gave, or why it failed. */
export function attempt(name, act) {
  try {
    console.log(`ok      ${name}${((told) => (told ? `: ${told}` : ''))(act())}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${[error.message, error.stdout, error.stderr].filter(Boolean).join('\n')}`);
  }
}

/** Fails the attempt with `message`. */
export function demand(holds, message) {
  if (!holds) throw new Error(message);
}

/** How many attempts have failed so far. */
export const failures = () => failed;
