/** `${CLAUDE_..}` in a command or an argument, put in as it stands; other variables are the shell's own. */
export function substitute(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(CLAUDE_[A-Z_]+)\}/g, (whole, name: string) => env[name] ?? whole);
}
