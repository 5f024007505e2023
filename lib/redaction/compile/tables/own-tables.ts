import type { CompiledRule } from '../compiled-rule.ts';
import type { Rule } from '../rule.ts';
import { packedOwn } from './packed-own.ts';
import { unpackRules } from './unpack-rules.ts';

interface NodeModules {
  'node:fs': { readFileSync(file: string): Uint8Array };
  'node:zlib': { brotliDecompressSync(bytes: Uint8Array, options: { readonly chunkSize: number }): Uint8Array };
}

/** Access to Node modules, for code that may also run in a browser. */
declare const process:
  | { getBuiltinModule?<N extends keyof NodeModules>(name: N): NodeModules[N] | undefined }
  | undefined;

/** Returns the built-in rules as compiled by the build; `undefined` without a build, and in browsers, which cannot decompress synchronously. */
export function readOwnTables(ownRules: readonly Rule[]): readonly CompiledRule[] | undefined {
  const bytes = packedOwn === undefined ? undefined : bytesIn(packedOwn);
  return bytes && unpackRules(bytes, ownRules);
}

function bytesIn(file: string): Uint8Array | undefined {
  if (typeof process === 'undefined') return undefined;
  const zlib = process.getBuiltinModule?.('node:zlib');
  try {
    const packed = process.getBuiltinModule?.('node:fs')?.readFileSync(file);
    return packed && zlib?.brotliDecompressSync(packed, { chunkSize: 1 << 20 });
  } catch {
    // A bundle of the application is elsewhere than the file.
    return undefined;
  }
}
