import type { Part } from '../wire/open-recording.ts';

/** Selects the part of a large recording: both ends, or one part. */
export function PartsBar({
  count,
  part,
  onPart,
}: {
  readonly count: number;
  readonly part: Part;
  readonly onPart: (part: Part) => void;
}) {
  const at = part === 'ends' ? -1 : part;
  return (
    <div class="parts-bar">
      <span>
        {part === 'ends'
          ? `Large recording: the first and the last of ${count} parts.`
          : `Part ${part + 1} of ${count}.`}
      </span>
      <button type="button" aria-pressed={part === 'ends'} onClick={() => onPart('ends')}>
        Both ends
      </button>
      <button type="button" disabled={at <= 0} onClick={() => onPart(at - 1)}>
        Previous
      </button>
      <input
        type="range"
        aria-label="Part"
        min={0}
        max={count - 1}
        value={Math.max(at, 0)}
        onChange={(event) => onPart(Number(event.currentTarget.value))}
      />
      <button type="button" disabled={at >= count - 1} onClick={() => onPart(at + 1)}>
        Next
      </button>
    </div>
  );
}
