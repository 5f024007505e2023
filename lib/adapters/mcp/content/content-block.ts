/** A block of a result, as far as it is read; further members pass. */
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

/** What `tools/call` gives, of either protocol. */
export interface CallResult {
  readonly content?: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** The text of a block, if it is one of text. */
export function textOfBlock({ type, text, name, uri, resource }: ContentBlock): string | undefined {
  if (type === 'text') return text ?? '';
  if (type === 'resource') return resource?.text;
  return type === 'resource_link' ? `${name ?? 'resource'}: ${uri ?? ''}` : undefined;
}
