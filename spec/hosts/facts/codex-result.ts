/** The output of the newest tool call in a request of Codex to the model. */
export function codexResult(body: unknown): string {
  const input = (body as { input?: { type: string; output?: unknown }[] } | undefined)?.input ?? [];
  return JSON.stringify(input.filter(({ type }) => type.endsWith('_output')).at(-1)?.output ?? '');
}
