import type { SettledEvent } from 'hookline';
import { toUiMessageStream, type UiMessageChunk, type UiMessageStreamOptions } from 'hookline/ai-sdk-ui';
import { lastValueFrom, type Observable, toArray } from 'rxjs';

/** The chunks of a run. */
export function chunksOf(
  events$: Observable<SettledEvent>,
  options?: UiMessageStreamOptions,
): Promise<readonly UiMessageChunk[]> {
  return lastValueFrom(events$.pipe(toUiMessageStream(options), toArray()));
}

/** Chunks as short lines. Ids are numbered in order of appearance. */
export function told(chunks: readonly UiMessageChunk[]): readonly string[] {
  const ids: string[] = [];
  const short = (id: string): string => {
    if (!ids.includes(id)) ids.push(id);
    return `#${ids.indexOf(id) + 1}`;
  };
  return chunks.map(({ type, ...chunk }) => {
    const { id, toolCallId, approvalId, providerMetadata, messageMetadata, dynamic, ...rest } = chunk as Record<
      string,
      unknown
    >;
    const outcome = (messageMetadata as { hookline?: { outcome?: string } } | undefined)?.hookline?.outcome;
    const name = (toolCallId ?? (type.startsWith('data-') ? undefined : id)) as string | undefined;
    const values = Object.values(rest).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    return [type, ...(name === undefined ? [] : [short(name)]), ...values, ...(outcome ? [`(${outcome})`] : [])].join(
      ' ',
    );
  });
}
