import { expect } from 'chai';
import type { UiMessageChunk } from '../../../lib/adapters/ai-sdk-ui/index.ts';
import type { Shown } from './show.ts';

const ENDS = ['finish', 'abort', 'error'];

/** A part of a message, whatever version made it. */
export interface Part {
  readonly type: string;
  readonly state?: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
  readonly data?: unknown;
  readonly approval?: { readonly id: string; readonly approved?: boolean };
  readonly providerMetadata?: { readonly hookline?: { readonly id?: string; readonly agent?: string } };
}

export const partsOf = ({ message }: Shown): readonly Part[] => (message?.parts ?? []) as readonly Part[];

/**
 * What holds for every stream that has ended: the client's schema has passed each chunk, its reader has failed only with the stream's
 * own error, the last chunk is an end, and nothing on the screen is unfinished but what waits for the client. Clients do not
 * notice a stream that has been cut.
 */
export function expectSettled(shown: Shown, sent: readonly UiMessageChunk[]): void {
  const last = sent.at(-1);
  expect(ENDS, 'the last chunk').to.include(last?.type);
  const told = last?.type === 'error' ? last.errorText : undefined;
  expect((shown.failure as Error | undefined)?.message, 'what the reader failed with').to.equal(told);
  expect(shown.chunks.map(({ type }) => type)).to.deep.equal(sent.map(({ type }) => type));
  const { outcome } = ((last?.type === 'finish' && last.messageMetadata?.['hookline']) || {}) as { outcome?: string };
  const open = partsOf(shown).filter((part) => !isFinal(part, outcome === 'suspended'));
  expect(open, 'unfinished parts').to.deep.equal([]);
}

function isFinal({ type, state }: Part, suspended: boolean): boolean {
  if (type === 'text' || type === 'reasoning') return state === 'done';
  if (type !== 'dynamic-tool' && !type.startsWith('tool-')) return true;
  if (state?.startsWith('output-')) return true;
  return suspended && state !== 'input-streaming';
}

/** The texts on the screen, in order, without those that have been withdrawn. */
export function visibleTexts(shown: Shown, agent?: string): readonly string[] {
  const parts = partsOf(shown);
  const withdrawn = new Set(
    parts.flatMap(({ type, data }) => (type === 'data-retracted' ? (data as { ids: string[] }).ids : [])),
  );
  return parts
    .filter(({ type, providerMetadata }) => {
      const { id, agent: whose } = providerMetadata?.hookline ?? {};
      return type === 'text' && !withdrawn.has(id ?? '') && whose === agent;
    })
    .map(({ text = '' }) => text);
}
