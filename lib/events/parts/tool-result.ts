import { z } from 'zod';

/** Media that a tool made. `url` is `https:`, `data:` or `media://id`. */
export const mediaReferenceSchema = z.strictObject({ url: z.string(), mediaType: z.string().exactOptional() });

/**
 * What a tool call came to. `content` is for the model. `forUser` goes to the host's deliver port unless `silent`; `handled`
 * says that the user has it already (on all calls of a batch it ends the run); `artifactTags` name files for the model;
 * `async` says that the real answer comes later.
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

/** Media by reference instead of by content. */
export type MediaReference = Readonly<z.infer<typeof mediaReferenceSchema>>;
/** What a tool gave: content, and whether it is an error. */
export type ToolResult = {
  readonly [K in keyof z.infer<typeof toolResultFields>]: z.infer<typeof toolResultFields>[K];
};

/** Schema of a `ToolResult`. */
export const toolResultSchema: z.ZodType<ToolResult> = toolResultFields;

/** What stands for a result where one is asked for: the result, or its content. */
export type ToolResultInput = ToolResult | string;

/** `input` as a result; a string is a success with that content. */
export function toolResult(input: ToolResultInput): ToolResult {
  return typeof input === 'string' ? { content: input, isError: false } : input;
}

/** A failed result that tells the model why. */
export function errorResult(content: string): ToolResult {
  return { content, isError: true };
}
