import { useEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { showCount } from '../ui/format.ts';
import { Json } from '../ui/json.tsx';

/** Pixels that a scroll position may differ from the end. */
const NEAR = 4;

/** The whole input of a pending call. Reports once that its end was in view. */
export function CallInput({ of, onSeen }: { readonly of: JsonObject; readonly onSeen: () => void }) {
  const box = useRef<HTMLElement>(null);
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  const look = () => {
    if (!box.current) return;
    const { scrollTop, clientHeight, scrollHeight } = box.current;
    setCut(scrollHeight > clientHeight + NEAR);
    if (scrollTop + clientHeight >= scrollHeight - NEAR) onSeen();
  };
  useEffect(look, [of, isWhole]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [of]);
  return (
    <div class="call-whole">
      <section
        class={isWhole ? 'json call-input whole' : 'json call-input'}
        aria-label="Input of the call"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        ref={box}
        onScroll={look}
      >
        <Json of={of} whole />
      </section>
      {isCut && (
        <p class="call-length">
          {showCount(linesOf(of))} lines.{' '}
          <button type="button" class="link" onClick={() => setWhole(true)}>
            Show all
          </button>
        </p>
      )}
    </div>
  );
}

/** Returns the number of lines, including those of multi-line strings. */
function linesOf(input: JsonObject): number {
  return JSON.stringify(input, null, 2).split(/\n|\\n/).length;
}
