import type { Observable } from 'rxjs';

/** Media that a store has: the data itself (bytes, or a base64 string), or an `https:` or `data:` URL where they are. */
export type StoredMedia =
  | { readonly mediaType: string; readonly data: Uint8Array | string }
  | { readonly url: string; readonly mediaType?: string };

/** The port that gives the media behind `media://id`. Throwing, or failing later, says that there are none. */
export interface MediaStore {
  resolve(id: string): StoredMedia | Promise<StoredMedia> | Observable<StoredMedia>;
}
