/** A content block of a result. Fields that Hookline does not read are kept. */
export type ContentBlock = {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly name?: string;
  readonly uri?: string;
  readonly resource?: {
    readonly uri: string;
    readonly text?: string;
    readonly blob?: string;
    readonly mimeType?: string;
  };
};

/** The result of `tools/call`, in either protocol. */
export interface CallResult {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** Returns the text of a block, or `undefined` for a block without text. */
export function textOfBlock({ type, text, name, uri, resource }: ContentBlock): string | undefined {
  if (type === 'text') return text ?? '';
  if (type === 'resource') return resource?.text;
  return type === 'resource_link' ? `${name ?? 'resource'}: ${uri ?? ''}` : undefined;
}
