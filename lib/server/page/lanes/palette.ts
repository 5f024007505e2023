/** The colours that the lanes are drawn with, as the theme has them. */
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

/** Reads them from the style sheet; the same as before as long as the theme is. */
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
