import { useState } from 'preact/hooks';
import { showNumber } from './format.ts';
import { piecesOf } from './visible-text.ts';

/** Characters that are shown at first. */
const SHOWN = 20_000;

/** A text of a run. It is never markup, and what cannot be seen in it, or would turn it round, is shown by its name. */
export function Text({ of }: { readonly of: string }) {
  const [most, setMost] = useState(SHOWN);
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
