import { z } from 'zod';

/** Media from a tool. `url` is `https:`, `data:` or `media://id`. */
const mediaReferenceSchema = z.strictObject({ url: z.string(), mediaType: z.string().exactOptional() });

/**
 * The result of a tool call. `content` is for the model. `forUser` goes to the host's `deliver` unless `silent`. `handled`: the user already has the
 * result, which ends the run if all calls of a batch are handled. `artifactTags` name files for the model. `async`: the actual answer comes later.
 */
const toolResultFields = z.strictObject({
  content: z.string(),
  isError: z.boolean(),
  forUser: z.string().exactOptional(),
  silent: z.boolean().exactOptional(),
  handled: z.boolean().exactOptional(),
  media: z.array<z.ZodType<MediaReference>>(mediaReferenceSchema).readonly().exactOptional(),
  artifactTags: z.array(z.string()).readonly().exactOptional(),
  async: z.boolean().exactOptional(),
});

/** Media by reference instead of content. */
export type MediaReference = Readonly<z.infer<typeof mediaReferenceSchema>>;
/** The result of a tool: content, and whether it is an error. */
export type ToolResult = {
  readonly [K in keyof z.infer<typeof toolResultFields>]: z.infer<typeof toolResultFields>[K];
};

/** Schema of a `ToolResult`. */
export const toolResultSchema: z.ZodType<ToolResult> = toolResultFields;

/** A result, or its content. */
export type ToolResultInput = ToolResult | string;

/** Converts `input` to a result. A string becomes a successful result with that content. */
export function toolResult(input: ToolResultInput): ToolResult {
  return typeof input === 'string' ? { content: input, isError: false } : input;
}

/** Creates a failed result with the reason for the model. */
export function errorResult(content: string): ToolResult {
  return { content, isError: true };
}
