const QUOTED = /"([^"]*)"|“([^”]*)”|`([^`]*)`|(?<=^|\s)'([^']*)'(?=$|[\s,.;])/g;
/** Marks stand between characters for private use, which no keyboard has. */
const MARK = /\uE000(\d+)\uE000/g;

/** A text whose quotations have been taken out, so that no rule splits them or reads them as its own words. */
export interface Unquoted {
  readonly text: string;
  /** Puts the quotations of a piece of the text back; a piece that is one quotation gives what it quotes. */
  restore(piece: string): string;
}

/** Replaces each quotation by a mark without spaces. */
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
