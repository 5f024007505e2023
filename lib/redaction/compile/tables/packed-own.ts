/** The file with the built-in rules from `packRules`, compressed with Brotli. The build sets it. When run from source, they are compiled on first use. */
export const packedOwn: string | undefined = undefined;
