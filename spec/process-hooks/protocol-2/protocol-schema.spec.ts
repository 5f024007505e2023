import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { z } from 'zod';
import { protocolSchema } from '../../../lib/process-hooks/index.ts';
import { protocolMessages } from '../../../lib/process-hooks/protocol-2/protocol-messages.ts';

const folder = join(__dirname, '../../../samples/process-hook-2');
const page = readFileSync(join(folder, 'README.md'), 'utf8');
type Parts = { readonly params?: z.ZodType; readonly result?: z.ZodType };
type Schema = { readonly properties?: Record<string, Schema>; readonly oneOf?: Schema[]; readonly anyOf?: Schema[] };

function partsOf(method: string): Parts[] {
  const own: Parts | undefined = (protocolMessages as Record<string, Parts>)[method];
  const old = /^hook\.((before|after|approve)_|runtime_event|event)/.test(method);
  return [...(own ? [own] : []), ...(old ? [protocolMessages['hook.*']] : [])];
}

function fieldsOf({ properties = {}, oneOf = [], anyOf = [] }: Schema): string[] {
  return [...Object.keys(properties), ...[...oneOf, ...anyOf].flatMap(fieldsOf)];
}

describe('the page about protocol 2', () => {
  it('contains the JSON Schema of the code', () => {
    const written = JSON.parse(readFileSync(join(folder, 'protocol.schema.json'), 'utf8'));
    expect(
      written,
      'run `node -C hookline:source -r ts-node/register spec/process-hooks/protocol-2/write-schema.ts`',
    ).to.deep.equal(protocolSchema());
  });

  it('names every method and field of the schema', () => {
    const methods = protocolSchema()['properties'] as unknown as Record<string, { properties: Record<string, Schema> }>;
    for (const [method, { properties }] of Object.entries(methods)) {
      if (method !== 'hook.*') expect(page).to.include(`\`${method}\``.replace('`hook.hello`', '"hook.hello"'));
      for (const name of Object.values(properties).flatMap(fieldsOf)) {
        const found = page.includes(`\`${name}`) || page.includes(`"${name}":`);
        expect(found, `${method}: ${name}`).to.equal(true);
      }
    }
  });

  it('shows frames that match the schema', () => {
    const frames = [...page.matchAll(/^\{"jsonrpc".*$/gm)].map(([line]) => JSON.parse(line));
    expect(frames.length).to.be.greaterThan(10);
    const asked = new Map<string | number, string>();
    for (const { id, method, params, result } of frames) {
      if (method !== undefined && id !== undefined) asked.set(id, method);
      const name = method ?? asked.get(id);
      const parts = partsOf(name);
      expect(parts, name).not.to.deep.equal([]);
      for (const part of parts) {
        const checked = method === undefined ? part.result?.safeParse(result) : part.params?.safeParse(params);
        expect(checked?.error, name).to.equal(undefined);
      }
    }
  });
});
