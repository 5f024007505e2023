/** Longer texts are not paths. */
export const LONGEST_PATH = 4_096;
/** A date or a fraction. */
const NUMBERS = /^\d+(?:\/\d+){1,2}$/;
/** The media types that calls name most often. */
const MEDIA =
  /^(?:text|image|audio|video|font|application|multipart)\/(?:plain|html|css|csv|markdown|javascript|json|xml|pdf|png|jpe?g|gif|svg\+xml|webp|mp[34]|mpeg|ogg|wav|webm|zip|gzip|octet-stream|form-data|x-www-form-urlencoded|\*)(?:;\S*)?$/;
/** Signs of regular expressions that globs do not contain. */
const REGULAR = /[$^|+]|\\[A-Za-z]|\{\d|\]\*/;

/** Returns whether a text has the shape of a path or file name, even if there is no such file: `secrets/new`, `key.pem`, `.env`. */
export function looksLikePath(text: string): boolean {
  if (text === '' || text.length > LONGEST_PATH || /[\s\p{Cc}<>"|]/u.test(text)) return false;
  if (NUMBERS.test(text) || MEDIA.test(text)) return false;
  return text.includes('/') || text.includes('\\') || /^[^/@:]*\.[A-Za-z][\w-]*$/.test(text);
}

/** Returns whether a text has the shape of a glob. In glob fields any wildcard suffices; elsewhere it also needs a `/`. */
export function looksLikeGlob(text: string, isGlobField: boolean): boolean {
  if (text.length > LONGEST_PATH || /\s/.test(text) || !/[*?[{]/.test(text)) return false;
  return text.includes('/') || (isGlobField && !REGULAR.test(text));
}

/** Decodes percent-encoding; `undefined` if there is none or if it is invalid. */
export function decodedPath(text: string): string | undefined {
  if (text.length > LONGEST_PATH || !/%[\da-f]{2}/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Suffixes of a path: lines and columns (`:1`, `:1:20`), a fragment (`#L1`), a query (`?raw`). */
const BEHIND = /(?::\d+){1,2}$|[#?].*$/s;
/** A git revision before a path: `HEAD:`, `v1.0~2:`. */
const REVISION = /^[\w./@^~{}-]*:(?=.)/;

/** Returns the paths in a text that names a part or a revision of a file, if they have the shape of a path. */
export function pathsWithin(text: string): readonly string[] {
  if (text.length > LONGEST_PATH) return [];
  const bare = text.replace(BEHIND, '');
  const within = [bare, bare.replace(REVISION, ''), text.replace(REVISION, '')];
  return within.filter((one) => one !== text && looksLikePath(one));
}
