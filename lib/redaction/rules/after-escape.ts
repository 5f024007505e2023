/** Escapes of code, JSON, URLs and terminals, for patterns that begin with the text before a value, which may follow directly. */
export const afterEscape =
  '\\\\[abfnrtv]|%[0-9A-Fa-f]{2}|\\\\u00[0-9A-Fa-f]{2}|\\\\x[0-9A-Fa-f]{2}|\\x1b\\[[0-9;]{0,12}[mK]';
