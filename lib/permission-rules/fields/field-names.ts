/** The kind of value that a field may hold, by its name. */
export type FieldKind = 'path' | 'url' | 'host';

/** Names of fields, in lower case and without `_` and `-`, that hold a path, as a whole name or its end. */
const PATH =
  /(?:path|file|filename|dir|directory|folder|cwd)s?$|^(?:root|source|destination|src|dest|dst|from|to|target)s?$/;
const URL_NAME = /(?:url|uri|href|endpoint|link)s?$/;
const HOST =
  /(?:host|hostname|domain|domainname)s?$|^ip(?:addr|address)?s?$|(?:^|host|server|remote|target|base)origins?$/;
const ADDRESS = /(?:server|address|addr|proxy|broker|gateway|upstream|peer)(?:es|s)?$/;
const CONTENT =
  /^(?:contents?|texts?|filetext|body|messages?|(?:old|new)(?:string|str|text|source)|prompt|description)$/;
const WORKING_FOLDER =
  /^(?:cwd|root|(?:working|work|current|base|root|project|workspace)(?:dir|directory|folder|path))$/;
const GLOB = /^(?:(?:\w*glob|pattern|include|match|mask)s?|(?:include|match)pattern)$/;

/** Returns a field name in lower case and without `_` and `-`. */
export function plainName(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, '');
}

/** Returns the content of a field with this plain name; `undefined` if the name does not indicate it. */
export function kindOfField(name: string): FieldKind | undefined {
  return HOST.test(name) ? 'host' : URL_NAME.test(name) ? 'url' : PATH.test(name) ? 'path' : undefined;
}

/** Returns whether a field may name a host, a person's address or anything else. The shape of its texts decides. */
export const mayHoldHost = (name: string): boolean => ADDRESS.test(name);

/** Returns whether the texts of a field are contents, messages or search terms. The call does not access places that occur in them. */
export const holdsContent = (name: string): boolean => CONTENT.test(name);

/** Returns whether a field names the working folder of a tool, not the place that it examines. */
export const isWorkingFolder = (name: string): boolean => WORKING_FOLDER.test(name);

/** Returns whether a field holds patterns of file names. */
export const holdsGlob = (name: string): boolean => GLOB.test(name);

/** Returns the place of a field, such as `input.command` or `input["a b"]`. */
export function placeOfField(at: string, key: string): string {
  return /^\w+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`;
}
