import type { CompiledRule } from '../compiled-rule.ts';
import type { Rule } from '../rule.ts';
import { packedOwn } from './packed-own.ts';
import { unpackRules } from './unpack-rules.ts';

interface Zlib {
  brotliDecompressSync(bytes: Uint8Array, options: { readonly chunkSize: number }): Uint8Array;
}

/** Access to Node modules, for code that may also run in a browser. */
declare const process: { getBuiltinModule?(name: 'node:zlib'): Zlib | undefined } | undefined;
declare const Buffer: { from(text: string, encoding: 'base64'): Uint8Array };

/** Returns the built-in rules as compiled by the build; `undefined` without a build, and in browsers, which cannot decompress synchronously. */
export function readOwnTables(ownRules: readonly Rule[]): readonly CompiledRule[] | undefined {
  if (packedOwn === undefined || typeof process === 'undefined') return undefined;
  const zlib = process.getBuiltinModule?.('node:zlib');
  return (
    zlib && unpackRules(zlib.brotliDecompressSync(Buffer.from(packedOwn, 'base64'), { chunkSize: 1 << 20 }), ownRules)
  );
}
