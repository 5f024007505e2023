import { useState } from 'preact/hooks';
import { showNumber } from './format.ts';
import { piecesOf } from './visible-text.ts';

/** The number of characters shown at first. */
const SHOWN = 20_000;

/** A text of a run. It is never parsed as markup. Characters that are invisible or change the direction are shown by name. */
export function Text({ of, whole = false }: { readonly of: string; readonly whole?: boolean }) {
  const [most, setMost] = useState(whole ? Number.POSITIVE_INFINITY : SHOWN);
  const shown = of.length > most ? of.slice(0, most) : of;
  return (
    <span class="text">
      {piecesOf(shown).map(({ text, hidden }) => (hidden ? <mark class="hidden-character">{text}</mark> : text))}
      {of.length > most && (
        <button type="button" class="link" onClick={() => setMost(most * 10)}>
          … {showNumber(of.length - most)} more characters
        </button>
      )}
    </span>
  );
}
