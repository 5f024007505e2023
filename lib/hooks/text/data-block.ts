/** A text with what is said about it. */
export interface DataItem {
  readonly about: Readonly<Record<string, string | number>>;
  readonly text: string;
}

/** Texts as elements that a model can tell from what it is asked: no text can end its own element or begin another. */
export function dataBlock(tag: string, items: readonly DataItem[]): string {
  const marks = new RegExp(`<(?=[\\s/]*${tag})`, 'gi');
  return items
    .map(({ about, text }) => {
      const attributes = Object.entries(about).map(([name, value]) => ` ${name}=${attribute(value)}`);
      return `<${tag}${attributes.join('')}>\n${text.replace(marks, '&lt;')}\n</${tag}>`;
    })
    .join('\n');
}

function attribute(value: string | number): string {
  return JSON.stringify(String(value)).replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'));
}
