/** A command that prints this. */
export const say = (output: object): string => `printf %s '${JSON.stringify(output)}'`;

/** A command that prints what only this event understands. */
export const specific = (hookEventName: string, output: object): string =>
  say({ hookSpecificOutput: { hookEventName, ...output } });
