import { useEffect, useRef } from 'preact/hooks';

/** What a key does; `false` leaves it to the browser. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** Those that were added last go first: a dialog before its view, a view before the page. */
const stack: (() => Shortcuts)[] = [];

addEventListener('keydown', (event) => {
  // A key that is held must not answer what it has just selected.
  if (event.repeat && ['a', 'd', 'e'].includes(event.key)) return;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const writing = (event.target as Element).closest<HTMLElement>('input, textarea, select');
  if (writing) {
    // Back to the keys.
    if (event.key === 'Escape') writing.blur();
    return;
  }
  // A button that has the focus is pressed by these itself.
  if ((event.key === 'Enter' || event.key === ' ') && (event.target as Element).closest('button, a, summary')) return;
  for (const shortcuts of [...stack].reverse()) {
    const act = shortcuts()[event.key];
    if (!act || act(event) === false) continue;
    event.preventDefault();
    return;
  }
});

/** Keys that work for as long as the component is shown. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const own = () => latest.current;
    stack.push(own);
    return () => {
      stack.splice(stack.indexOf(own), 1);
    };
  }, []);
}
