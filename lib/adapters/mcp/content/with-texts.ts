import { type ContentBlock, textOfBlock } from './content-block.ts';

/**
 * The blocks of a result with `content`, which is what hooks have left of all their texts, line by line. Each text goes back into its own block: links
 * and embedded resources stay what they are. Where lines have come or gone in several blocks at once, those become one text.
 */
export function withTexts(blocks: readonly ContentBlock[], content: string): readonly ContentBlock[] {
  const told = blocks.flatMap((block) => {
    const text = textOfBlock(block);
    return text === undefined ? [] : [{ block, lines: text.split('\n') }];
  });
  let lines = content.split('\n');
  const settled = new Map<ContentBlock, readonly string[]>();
  const open = [...told];
  const same = (one: readonly string[], other: readonly string[]): boolean => one.join('\n') === other.join('\n');
  for (
    let [next] = open;
    next && open.length > 1 && same(next.lines, lines.slice(0, next.lines.length));
    [next] = open
  ) {
    settled.set(next.block, next.lines);
    lines = lines.slice(next.lines.length);
    open.shift();
  }
  for (
    let next = open.at(-1);
    next && open.length > 1 && same(next.lines, lines.slice(-next.lines.length));
    next = open.at(-1)
  ) {
    settled.set(next.block, next.lines);
    lines = lines.slice(0, -next.lines.length);
    open.pop();
  }
  const [first] = open;
  const each = open.length > 1 && open.reduce((sum, one) => sum + one.lines.length, 0) === lines.length;
  if (each) for (const { block, lines: own } of open) settled.set(block, lines.splice(0, own.length));
  else if (first) settled.set(first.block, lines);
  const whole = each || open.length === 1;
  return blocks.flatMap((block) => {
    if (textOfBlock(block) === undefined) return [block];
    const text = settled.get(block)?.join('\n');
    if (text === undefined) return [];
    return [!whole && block === first?.block ? { type: 'text', text } : withText(block, text)];
  });
}

/** A block whose text is another; the name of a link is before its address. */
function withText(block: ContentBlock, text: string): ContentBlock {
  const { type, resource, name = 'resource', uri = '' } = block;
  if (textOfBlock(block) === text) return block;
  // Hooks have not seen these, which may say once more what they have taken out.
  const {
    title: _,
    description: __,
    _meta: ___,
    ...kept
  } = block as ContentBlock & { readonly [member: string]: unknown };
  if (type === 'text') return { ...kept, text };
  if (resource) return { ...kept, resource: { ...resource, text } };
  if (text.endsWith(`: ${uri}`)) return { ...kept, name: text.slice(0, -uri.length - 2) };
  if (text.startsWith(`${name}: `)) return { ...kept, uri: text.slice(name.length + 2) };
  return { type: 'text', text };
}
