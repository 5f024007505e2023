import { useState } from 'preact/hooks';
import { showNumber } from './format.ts';
import { piecesOf } from './visible-text.ts';

/** The number of characters shown at first. */
const SHOWN = 20_000;

interface TextProps {
  readonly of: string;
  readonly whole?: boolean;
  /** An element around the text, and its class. */
  readonly in?: 'span' | 'strong' | 'code' | 'p' | 'pre' | 'h1' | 'td' | 'dd';
  readonly class?: string;
}

/** A text of a run. It is never parsed as markup. Characters that are invisible or change the direction are shown by name. */
export function Text({ of, whole = false, in: Around, class: look }: TextProps) {
  const [most, setMost] = useState(whole ? Number.POSITIVE_INFINITY : SHOWN);
  const shown = of.length > most ? of.slice(0, most) : of;
  const text = (
    <span class="text">
      {piecesOf(shown).map(({ text, hidden }) => (hidden ? <mark class="hidden-character">{text}</mark> : text))}
      {of.length > most && (
        <button type="button" class="link" onClick={() => setMost(most * 10)}>
          … {showNumber(of.length - most)} more characters
        </button>
      )}
    </span>
  );
  return Around ? <Around class={look}>{text}</Around> : text;
}
