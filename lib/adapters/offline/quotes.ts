const QUOTED = /"([^"]*)"|“([^”]*)”|`([^`]*)`|(?<=^|\s)'([^']*)'(?=$|[\s,.;])/g;
/** The delimiters are private use characters, which users do not type. */
const MARK = /\uE000(\d+)\uE000/g;

/** A text without its quotations, so that no rule splits them or reads them as keywords. */
export interface Unquoted {
  readonly text: string;
  /** Restores the quotations in a piece of the text. A piece that is one quotation returns the quoted text. */
  restore(piece: string): string;
}

/** Replaces each quotation with a mark without spaces. */
export function takeQuotes(text: string): Unquoted {
  const quotes: { whole: string; inner: string }[] = [];
  const marked = text.replaceAll('\uE000', '').replace(QUOTED, (whole, ...groups) => {
    const inner = groups.slice(0, 4).find((group) => group !== undefined) ?? '';
    return `\uE000${quotes.push({ whole, inner }) - 1}\uE000`;
  });
  return {
    text: marked,
    restore(piece) {
      const only = /^\uE000(\d+)\uE000$/.exec(piece);
      if (only) return quotes[Number(only[1])]?.inner ?? '';
      return piece.replace(MARK, (_, index) => quotes[Number(index)]?.whole ?? '');
    },
  };
}
