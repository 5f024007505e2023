const focused = new WeakSet<HTMLElement>();

/** For `ref`: gives an element the focus when it comes up, and not again. */
export function focusOnce(element: HTMLElement | null): void {
  if (!element || focused.has(element)) return;
  focused.add(element);
  element.focus();
}
