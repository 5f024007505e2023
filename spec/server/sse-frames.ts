/** A server-sent event as received. */
export interface Frame {
  readonly id?: string;
  readonly event: string;
  readonly data: Record<string, unknown> & { readonly delta: string };
}

/** Parses a text of complete events, without comments. */
export function framesOf(text: string): readonly Frame[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = Object.fromEntries(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    if (fields['event'] === undefined) return [];
    const { id, event, data = '{}' } = fields;
    return [{ ...(id !== undefined && { id }), event, data: JSON.parse(data) }];
  });
}
