import { useState } from 'preact/hooks';
import { Text } from './text.tsx';

/** The number of fields of an object or list that are shown at first. */
const SHOWN = 100;

/** JSON for reading: keys and values in lines, with long texts, long lists and deep objects collapsed unless `whole` is set. */
export function Json({
  of,
  depth = 0,
  whole = false,
}: {
  readonly of: unknown;
  readonly depth?: number;
  readonly whole?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const [most, setMost] = useState(whole ? Number.POSITIVE_INFINITY : SHOWN);
  if (typeof of === 'string') return <Quoted text={of} whole={whole} />;
  if (typeof of !== 'object' || of === null) return <span class="json-value">{String(of)}</span>;
  const entries = Object.entries(of);
  const [begin, end] = Array.isArray(of) ? '[]' : '{}';
  if (entries.length === 0) return <span class="json-sign">{`${begin}${end}`}</span>;
  const isFolded = !whole && (depth >= 3 || entries.length > SHOWN);
  const lines = entries.slice(0, isFolded && !isOpen ? 0 : most).map(([key, value]) => (
    <div class="json-line" key={key}>
      {!Array.isArray(of) && (
        <>
          <Text in="span" class="json-key" of={key} />
          <span class="json-sign">: </span>
        </>
      )}
      <Json of={value} depth={depth + 1} whole={whole} />
    </div>
  ));
  const more = entries.length > most && (
    <button type="button" class="link" onClick={() => setMost(most * 10)}>
      … {entries.length - most} more
    </button>
  );
  if (!isFolded)
    return (
      <>
        <span class="json-sign">{begin}</span>
        <div class="json-body">{lines}</div>
        <span class="json-sign">{end}</span>
      </>
    );
  return (
    <details class="json-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {begin}
        {entries.length}
        {end}
      </summary>
      <div class="json-body">
        {lines}
        {isOpen && more}
      </div>
    </details>
  );
}

function Quoted({ text, whole }: { readonly text: string; readonly whole: boolean }) {
  return (
    <span class="json-text">
      "<Text of={text} whole={whole} />"
    </span>
  );
}
