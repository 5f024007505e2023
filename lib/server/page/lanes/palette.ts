/** The colours of the lanes in the current theme. */
export interface Palette {
  readonly line: string;
  readonly band: string;
  readonly text: string;
  readonly chunks: string;
  readonly touched: string;
  readonly step: string;
  readonly hooks: string;
  readonly accent: string;
  readonly surface: string;
  /** By the place of the mark in `marks`. */
  readonly marks: readonly string[];
}

let known: Palette | undefined;
let knownAs: string | undefined;

/** Reads the palette from the style sheet; the same object until the theme changes. */
export function readPalette(): Palette {
  const { theme } = document.documentElement.dataset;
  if (known && theme === knownAs) return known;
  knownAs = theme;
  known = read();
  return known;
}

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    line: of('line'),
    band: of('raised'),
    text: of('faint'),
    chunks: of('chunks'),
    touched: of('changed-mark'),
    step: of('step'),
    hooks: of('hooks'),
    accent: of('accent'),
    surface: of('surface'),
    marks: ['passed', 'changed-mark', 'decided-mark', 'waiting-mark', 'refused-mark', 'refused-mark'].map(of),
  };
}
