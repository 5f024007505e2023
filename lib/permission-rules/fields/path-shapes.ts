/** Longer texts are no paths. */
export const LONGEST_PATH = 4_096;
/** A date or a fraction. */
const NUMBERS = /^\d+(?:\/\d+){1,2}$/;
/** Types of media that calls name most often. */
const MEDIA =
  /^(?:text|image|audio|video|font|application|multipart)\/(?:plain|html|css|csv|markdown|javascript|json|xml|pdf|png|jpe?g|gif|svg\+xml|webp|mp[34]|mpeg|ogg|wav|webm|zip|gzip|octet-stream|form-data|x-www-form-urlencoded|\*)(?:;\S*)?$/;
/** What regular expressions hold and globs do not. */
const REGULAR = /[$^|+]|\\[A-Za-z]|\{\d|\]\*/;

/** Whether a text has the shape of a path or of the name of a file, though there may be no such file: `secrets/new`, `key.pem`, `.env`. */
export function looksLikePath(text: string): boolean {
  if (text === '' || text.length > LONGEST_PATH || /[\s\p{Cc}<>"|]/u.test(text)) return false;
  if (NUMBERS.test(text) || MEDIA.test(text)) return false;
  return text.includes('/') || text.includes('\\') || /^[^/@:]*\.[A-Za-z][\w-]*$/.test(text);
}

/** Whether a text has the shape of a glob. In a field that holds globs any text with a wildcard has; elsewhere one with a `/`. */
export function looksLikeGlob(text: string, isGlobField: boolean): boolean {
  if (text.length > LONGEST_PATH || /\s/.test(text) || !/[*?[{]/.test(text)) return false;
  return text.includes('/') || (isGlobField && !REGULAR.test(text));
}

/** A text with its percent-encoding decoded; `undefined` where there is none, or what cannot be decoded. */
export function decodedPath(text: string): string | undefined {
  if (text.length > LONGEST_PATH || !/%[\da-f]{2}/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** What follows a path: lines and columns (`:1`, `:1:20`), a part (`#L1`), a query (`?raw`). */
const BEHIND = /(?::\d+){1,2}$|[#?].*$/s;
/** A revision of git before a path: `HEAD:`, `v1.0~2:`. */
const REVISION = /^[\w./@^~{}-]*:(?=.)/;

/** The paths within a text that names a part or a revision of a file; only those with the shape of a path. */
export function pathsWithin(text: string): readonly string[] {
  if (text.length > LONGEST_PATH) return [];
  const bare = text.replace(BEHIND, '');
  const within = [bare, bare.replace(REVISION, ''), text.replace(REVISION, '')];
  return within.filter((one) => one !== text && looksLikePath(one));
}
