import { effect, signal } from '@preact/signals';

const KEY = 'hookline.theme';
const themes = ['system', 'light', 'dark'] as const;

/** The colours of the page; `system` follows the setting of the computer. */
export type Theme = (typeof themes)[number];

const kept = localStorage.getItem(KEY) as Theme | null;
export const theme = signal<Theme>(kept && themes.includes(kept) ? kept : 'system');

/** Incremented when the colours change, for canvases. */
export const colours = signal(0);

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', show);
effect(() => {
  localStorage.setItem(KEY, theme.value);
  show();
});

/** Switches to the next of the three themes. */
export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] as Theme;
}

function show(): void {
  const shown = theme.peek() === 'system' ? (dark.matches ? 'dark' : 'light') : theme.peek();
  document.documentElement.dataset['theme'] = shown;
  colours.value = colours.peek() + 1;
}
