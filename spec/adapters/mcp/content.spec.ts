import { expect } from 'chai';
import fc from 'fast-check';
import { type ContentBlock, textOfBlock } from '../../../lib/adapters/mcp/content/content-block.ts';
import { seeReply } from '../../../lib/adapters/mcp/content/seen-reply.ts';
import { permissionOf } from '../../../lib/adapters/mcp/tools/permission-of.ts';

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.constantFrom('key', 'a key', 'a\nkey\nb', '', 'none') }),
  fc.record({ type: fc.constant('image'), data: fc.constant('aGk='), mimeType: fc.constant('image/png') }),
  fc.record({
    type: fc.constant('resource_link'),
    name: fc.constantFrom('key.txt', 'notes'),
    uri: fc.constantFrom('file:///key', 'file:///n'),
    size: fc.constant(3),
  }),
  fc.record({
    type: fc.constant('resource'),
    resource: fc.record({
      uri: fc.constant('a:b'),
      text: fc.constantFrom('key', 'x\nkey'),
      mimeType: fc.constant('text/x'),
    }),
  }),
);
const redacted = (blocks: readonly ContentBlock[], clean: (text: string) => string): ContentBlock[] => {
  const { seen, restore } = seeReply({ result: { content: blocks } as never }, false);
  const settled = restore({ ...seen, content: clean(seen.content) });
  return (settled?.['content'] ?? blocks) as never;
};

describe('a redacted result of an MCP server', () => {
  it('keeps each block in its place and changes only text', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), (blocks) => {
        const clean = (text: string): string => text.replaceAll('key', '***');
        const expected = blocks.map((one): ContentBlock => {
          if (one.type === 'text') return { ...one, text: clean(one.text ?? '') };
          if (one.resource) return { ...one, resource: { ...one.resource, text: clean(one.resource.text ?? '') } };
          if (one.type !== 'resource_link') return one;
          const [name = '', uri = ''] = [one.name, one.uri].map((text = '') => clean(text));
          // If both changed, the border between them is unknown.
          if (name !== one.name && uri !== one.uri) return { type: 'text', text: `${name}: ${uri}` };
          return { ...one, name, uri };
        });
        expect(redacted(blocks, clean)).to.deep.equal(expected);
      }),
    );
  });

  it('keeps all text that hooks left, also with other line counts, and untouched blocks', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), (blocks) => {
        const clean = (text: string): string => text.replaceAll('key', 'one\ntwo');
        const texts = blocks.map(textOfBlock).filter((text) => text !== undefined);
        const left = redacted(blocks, clean);
        expect(
          left
            .map(textOfBlock)
            .filter((text) => text !== undefined)
            .join('\n'),
        ).to.equal(clean(texts.join('\n')));
        expect(left.filter(({ type }) => type === 'image')).to.have.length(
          blocks.filter(({ type }) => type === 'image').length,
        );
      }),
    );
  });
});

describe('the tool annotations of an MCP server', () => {
  const hints = fc.record({
    readOnlyHint: fc.option(fc.boolean(), { nil: undefined }),
    destructiveHint: fc.option(fc.boolean(), { nil: undefined }),
    idempotentHint: fc.option(fc.boolean(), { nil: undefined }),
    openWorldHint: fc.option(fc.boolean(), { nil: undefined }),
  });

  it('lower no permission unless the host trusts them', () => {
    fc.assert(
      fc.property(hints, (annotations) => {
        const tool = { name: 'look', annotations } as never;
        expect(permissionOf(tool, {})).to.equal('external');
        expect(permissionOf(tool, { permissions: { look: 'write' }, trustAnnotations: true })).to.equal('write');
        if (annotations.readOnlyHint) expect(permissionOf(tool, { trustAnnotations: true })).to.equal('read');
      }),
    );
  });
});
