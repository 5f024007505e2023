/**
 * The port that gives the media behind `media://id`: the data itself (bytes, or a base64 string), or an `https:` or `data:` URL
 * where they are.
 */
export interface MediaStore {
  resolve(
    id: string,
  ): Promise<
    | { readonly mediaType: string; readonly data: Uint8Array | string }
    | { readonly url: string; readonly mediaType?: string }
  >;
}
