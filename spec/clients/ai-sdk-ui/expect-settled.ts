import { expect } from 'chai';
import type { UiMessageChunk } from '../../../lib/adapters/ai-sdk-ui/index.ts';
import type { Shown } from './show.ts';

const ENDS = ['finish', 'abort', 'error'];

/** A message part in any version. */
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
 * Checks the invariants of an ended stream. The client's schema accepts each chunk, and its reader fails only with the stream's own error. The last
 * chunk is an end, and only parts that wait for the client are unfinished. Clients do not detect a truncated stream.
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

/** The shown texts in order, without retracted ones. */
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
