/** A text with its attributes. */
export interface DataItem {
  readonly about: Readonly<Record<string, string | number>>;
  readonly text: string;
}

/** Formats texts as elements that a model can distinguish from instructions. A text can neither end its own element nor begin another. */
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
