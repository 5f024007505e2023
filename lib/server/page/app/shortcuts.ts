import { useEffect, useRef } from 'preact/hooks';

/** The action of a key; `false` leaves the key to the browser. */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** The shortcuts that select the next or the previous row of a list. */
export function stepKeys(step: (by: number) => unknown): Shortcuts {
  const [down, up] = [() => step(1), () => step(-1)];
  return { j: down, ArrowDown: down, k: up, ArrowUp: up };
}

/** The last ones added come first: a dialog before its view, a view before the page. */
const stack: (() => Shortcuts)[] = [];

addEventListener('keydown', (event) => {
  // A key that is held down must not answer the call that it has just selected.
  if (event.repeat && ['a', 'd', 'e'].includes(event.key)) return;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const writing = (event.target as Element).closest<HTMLElement>('input, textarea, select');
  if (writing) {
    // Returns the focus to the shortcuts.
    if (event.key === 'Escape') writing.blur();
    return;
  }
  // These keys press a focused button themselves.
  if ((event.key === 'Enter' || event.key === ' ') && (event.target as Element).closest('button, a, summary')) return;
  for (const shortcuts of [...stack].reverse()) {
    const act = shortcuts()[event.key];
    if (!act || act(event) === false) continue;
    event.preventDefault();
    return;
  }
});

/** Adds shortcuts while the component is mounted. */
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
