import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject, JsonValue } from '../events/values/json-value.ts';
import { isPlaceholder } from '../events/values/sealed-placeholder.ts';
import type { RulePlace } from './match-path.ts';
import { plainName } from './named-commands.ts';

/** What a call names; `undefined` stands for a field of such a name whose value is no text. */
export interface NamedPlaces {
  readonly paths: readonly (string | undefined)[];
  readonly urls: readonly (string | undefined)[];
}

/** Names of fields, in lower case and without `_` and `-`, that hold a path, whole or as their end. */
const PATH =
  /(?:path|file|filename|dir|directory|folder|cwd)s?$|^(?:root|source|destination|src|dest|dst|from|to|target)s?$/;
const URL_NAME = /(?:url|uri|href|endpoint|link)s?$/;
const HOST = /(?:host|hostname|domain|domainname)s?$|(?:^|host|server|remote|target|base)origins?$/;
/** Fields that hold what is written, said or looked for; what occurs in there is no place that the call goes to. */
const CONTENT =
  /^(?:contents?|texts?|filetext|body|messages?|(?:old|new)(?:string|str|text|source)|prompt|description)$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Longer texts are no paths. */
const LONGEST_PATH = 4_096;
/** So many texts of a call are looked up on the disk; with more of them, what the call names is not known. */
const MOST_LOOKUPS = 1_000;

/** Finds the paths and addresses in an input of any shape, by the names of fields and by the shape of texts, at any depth. */
export function namedPlaces(input: JsonObject, place: RulePlace): NamedPlaces {
  const found: Found = { paths: [], urls: [], lookups: 0 };
  const stack: { readonly value: JsonValue; readonly name: string }[] = [{ value: input, name: '' }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, name } = next;
    if (typeof value === 'object' && value !== null && !isPlaceholder(value)) {
      if (Array.isArray(value)) for (const item of value) stack.push({ value: item, name });
      else
        for (const [key, member] of Object.entries(value)) {
          const own = plainName(key);
          // `files: { 'a.txt': 'text' }` names a file by its key.
          if (kindOf(name) === 'path' && /[./\\]/.test(key)) addText(key, 'path', place, found);
          // Below a field that names a place, any other name stands for a part of it.
          if (!CONTENT.test(own)) stack.push({ value: member, name: kindOf(own) === undefined ? name : own });
        }
    } else if (typeof value === 'string') addText(value, kindOf(name), place, found);
    else if (value !== null) {
      const kind = kindOf(name);
      if (kind === 'path') found.paths.push(undefined);
      else if (kind !== undefined) found.urls.push(undefined);
    }
  }
  return found;
}

/** The places that the named fields of an input hold: texts, or lists of them. */
export function placesIn(values: readonly (JsonValue | undefined)[]): NamedPlaces {
  const given = values.flatMap((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]));
  const texts = given.map((value) => (typeof value === 'string' ? value : undefined));
  return { paths: texts.map((text) => text && pathOf(text)), urls: texts };
}

type Kind = 'path' | 'url' | 'host';

/** What stands between several places in one text; an address may hold a comma. */
const LIST: Readonly<Record<Kind, RegExp>> = {
  path: /[,;\r\n]+/,
  url: /[,;\s]+(?=[a-z][a-z0-9+.-]{0,20}:\/\/)/i,
  host: /[,;\s]+/,
};
const MOST_LISTED = 1_000;

function kindOf(name: string): Kind | undefined {
  return HOST.test(name) ? 'host' : URL_NAME.test(name) ? 'url' : PATH.test(name) ? 'path' : undefined;
}

interface Found {
  readonly paths: (string | undefined)[];
  readonly urls: (string | undefined)[];
  lookups: number;
}

function addText(text: string, kind: Kind | undefined, place: RulePlace, found: Found): void {
  const { paths, urls } = found;
  const list = kind === undefined ? [] : text.split(LIST[kind], MOST_LISTED);
  if (list.length > 1) for (const one of list) if (one !== '') addText(one.trim(), kind, place, found);
  if (/^file:\S+$/i.test(text)) {
    paths.push(pathOf(text));
    // Without a slash some take the rest for the path.
    if (/^file:[^/]/i.test(text)) paths.push(text.slice('file:'.length));
  } else if (SCHEME.test(text)) {
    if (/^file:/i.test(text)) paths.push(pathOf(text));
    else urls.push(text);
  } else if (/^\/\/[^/]/.test(text)) {
    // An address without its scheme; a path all the same.
    urls.push(`http:${text}`);
    paths.push(text);
  } else if (kind === 'host') urls.push(`http://${text}`);
  else if (kind === 'url') {
    urls.push(text);
    if (text !== '') paths.push(text);
  } else if (kind === 'path') paths.push(text);
  else {
    const named = /^-.*?=(.+)$/s.exec(text)?.[1] ?? text;
    found.lookups += 1;
    if (found.lookups > MOST_LOOKUPS) paths.push(undefined);
    else if (isExisting(named, place)) paths.push(named);
  }
}

/** The path of a `file:` address; other texts as they are. */
function pathOf(text: string): string | undefined {
  if (!/^file:/i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

function isExisting(text: string, { cwd, home }: RulePlace): boolean {
  if (text === '' || text.length > LONGEST_PATH || /[\0\r\n]/.test(text)) return false;
  return existsSync(resolve(cwd, text.replace(/^~(?=\/|$)/, home)));
}
