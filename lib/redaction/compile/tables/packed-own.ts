/** Own rules as `packRules` writes them, compressed by Brotli, in base64. The build fills it in; from source they are compiled when they are first needed. */
export const packedOwn: string | undefined = undefined;
