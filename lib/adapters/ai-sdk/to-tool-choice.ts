import type { ToolChoice } from '../../events/parts/model-options.ts';

/** A tool choice as the AI SDK's, which is the same in all versions. */
export function toToolChoice(choice: ToolChoice): { type: string; toolName?: string } {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool };
}
