/** Shapes of the outcomes of an event, as on the lanes: distinguishable by form as well as colour. */
const shapes = {
  passed: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  changed: 'M8 3 13 8 8 13 3 8Z',
  decided: 'M4 4h8v8H4Z',
  waiting: 'M8 3.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6Zm0 2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6Z',
  refused: 'M4.6 3.2 8 6.6l3.4-3.4 1.4 1.4L9.4 8l3.4 3.4-1.4 1.4L8 9.4l-3.4 3.4-1.4-1.4L6.6 8 3.2 4.6Z',
  failed: 'M8 2.6 14 13H2Z',
  skipped: 'M3.5 7.2h9v1.6h-9Z',
} as const;

/** The outcome of an event, or the effect of a hook on it. */
export function MarkIcon({ of }: { readonly of: keyof typeof shapes }) {
  return (
    <svg class={`mark mark-${of}`} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={shapes[of]} />
    </svg>
  );
}

/** The logo of the page: marbles on a line. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 28 16" width="28" height="16" aria-hidden="true">
      <path d="M1 8h26" />
      <circle cx="7" cy="8" r="3.5" />
      <path class="logo-changed" d="m17 3.5 4.5 4.5-4.5 4.5L12.5 8Z" />
    </svg>
  );
}
