import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** A list that renders only its visible rows. All rows have the same height, in pixels. */
export interface VirtualListProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly selected: number;
  readonly label: string;
  readonly row: (index: number) => ComponentChildren;
  readonly onSelect: (index: number) => void;
  /** Whether it stays at its end as it grows. */
  readonly follow?: boolean;
}

const BEYOND = 8;

export function VirtualList({ count, rowHeight, selected, label, row, onSelect, follow }: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const measure = () => {
    const { scrollTop, clientHeight } = box.current as HTMLDivElement;
    setView((before) =>
      before.top === scrollTop && before.height === clientHeight ? before : { top: scrollTop, height: clientHeight },
    );
  };
  useLayoutEffect(() => {
    const watching = new ResizeObserver(measure);
    watching.observe(box.current as HTMLDivElement);
    return () => watching.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || selected < 0) return;
    const [from, to] = [selected * rowHeight, (selected + 1) * rowHeight];
    if (from < element.scrollTop) element.scrollTop = from;
    else if (to > element.scrollTop + element.clientHeight) element.scrollTop = to - element.clientHeight;
  }, [selected, rowHeight]);
  useLayoutEffect(() => {
    if (follow && box.current) box.current.scrollTop = count * rowHeight;
  }, [follow, count, rowHeight]);

  const first = Math.max(0, Math.floor(view.top / rowHeight) - BEYOND);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + BEYOND);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  return (
    <div
      class="virtual-list"
      ref={box}
      onScroll={measure}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={selected >= first && selected < last ? `row-${selected}` : undefined}
    >
      <div class="virtual-list-all" style={{ height: `${count * rowHeight}px` }}>
        {rows.map((index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: j, k and the arrow keys move through the list
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names its active row
          <div
            key={index}
            id={`row-${index}`}
            role="option"
            aria-selected={index === selected}
            aria-posinset={index + 1}
            aria-setsize={count}
            class={index === selected ? 'row selected' : 'row'}
            style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
            onClick={() => onSelect(index)}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
