import { HooklineError } from '../../errors.ts';

/** Headers from `Name: value`, where `${NAME}` in a value stands for a variable of the environment. One that is missing is `INPUT_INVALID`. */
export function readHeaders(texts: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined)
        // What it says instead may be a secret.
        throw invalid('--header must say "Name: value".');
      const filled = value.replace(/\$\{([^}]*)\}/g, (_, variable: string) => {
        const found = env[variable];
        if (found !== undefined && found !== '') return found;
        throw invalid(`--header ${name}: the environment has no variable ${variable}. Set it, or take it out.`);
      });
      return [name, filled];
    }),
  );
}

function invalid(why: string): HooklineError {
  return new HooklineError('INPUT_INVALID', `hookline mcp: ${why}`);
}
