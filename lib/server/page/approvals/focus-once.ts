const focused = new WeakSet<HTMLElement>();

/** For `ref`: focuses an element once, when it is mounted. */
export function focusOnce(element: HTMLElement | null): void {
  if (!element || focused.has(element)) return;
  focused.add(element);
  element.focus();
}
