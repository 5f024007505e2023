// More of what hooks can do: keep text back, bring tools.
import { defineHook, defineTool, holdBack } from 'hookline';
import { z } from 'zod';

/** `holdBack`: keep text until its end is known, here until a word is whole. */
export const wholeWords = defineHook({
  name: 'whole-words',
  through: { reasoningChunk: holdBack((text, end) => (end ? text.length : text.lastIndexOf(' ') + 1)) },
});

/** `tools`: bring tools. */
export const now = defineTool({
  name: 'now',
  description: 'Tells the time.',
  inputSchema: z.object({}),
  permission: 'read',
  execute: () => new Date().toISOString(),
});
export const clock = defineHook({ name: 'clock', tools: [now] });
