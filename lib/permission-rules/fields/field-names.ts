/** What a field may hold, by its name. */
export type FieldKind = 'path' | 'url' | 'host';

/** Names of fields, in lower case and without `_` and `-`, that hold a path, whole or as their end. */
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

/** A name of a field in lower case and without `_` and `-`. */
export function plainName(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, '');
}

/** What the field of a plain name holds; `undefined` where its name does not say. */
export function kindOfField(name: string): FieldKind | undefined {
  return HOST.test(name) ? 'host' : URL_NAME.test(name) ? 'url' : PATH.test(name) ? 'path' : undefined;
}

/** Whether a field may name a host, or a person's address or anything else: the shape of its texts decides. */
export const mayHoldHost = (name: string): boolean => ADDRESS.test(name);

/** Whether the texts of a field are what is written, said or looked for; what occurs in them is no place that the call goes to. */
export const holdsContent = (name: string): boolean => CONTENT.test(name);

/** Whether a field names the folder that a tool works in, and not what it looks at. */
export const isWorkingFolder = (name: string): boolean => WORKING_FOLDER.test(name);

/** Whether a field holds patterns of names of files. */
export const holdsGlob = (name: string): boolean => GLOB.test(name);

/** The place of a field, as `input.command` or `input["a b"]`. */
export function placeOfField(at: string, key: string): string {
  return /^\w+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`;
}
