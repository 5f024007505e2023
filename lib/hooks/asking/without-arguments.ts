/** Returns a prompt of `callPrompt` without its arguments, for a view that shows the whole input. Any other prompt is unchanged. */
export function withoutArguments(prompt: string): string {
  return prompt.replace(/\n {2}Arguments: [\s\S]*(?=\nMay it run\?$)/, '');
}
