import { type ContentBlock, textOfBlock } from './content-block.ts';

/**
 * Writes `content`, the settled text of all blocks, back into the blocks line by line. Links and embedded resources keep their type. If lines were
 * added or removed in several blocks, those blocks become one text.
 */
export function withTexts(blocks: readonly ContentBlock[], content: string): readonly ContentBlock[] {
  const texts = blocks.flatMap((block) => {
    const text = textOfBlock(block);
    return text === undefined ? [] : [{ block, lines: text.split('\n') }];
  });
  let lines = content.split('\n');
  const settled = new Map<ContentBlock, readonly string[]>();
  const open = [...texts];
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

/** Returns the block with another text. The name of a link comes before its address. */
function withText(block: ContentBlock, text: string): ContentBlock {
  const { type, resource, name = 'resource', uri = '' } = block;
  if (textOfBlock(block) === text) return block;
  // Hooks did not see these fields. They may repeat text that a hook removed.
  const {
    title: _,
    description: __,
    _meta: ___,
    ...kept
  } = block as ContentBlock & { readonly [field: string]: unknown };
  if (type === 'text') return { ...kept, text };
  if (resource) return { ...kept, resource: { ...resource, text } };
  if (text.endsWith(`: ${uri}`)) return { ...kept, name: text.slice(0, -uri.length - 2) };
  if (text.startsWith(`${name}: `)) return { ...kept, uri: text.slice(name.length + 2) };
  return { type: 'text', text };
}
