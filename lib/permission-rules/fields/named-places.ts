import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { isPlaceholder } from '../../events/values/sealed-placeholder.ts';
import { createDiskView, type DiskView } from '../disk-view.ts';
import type { RulePlace } from '../match-path.ts';
import {
  type FieldKind,
  holdsContent,
  holdsGlob,
  isWorkingFolder,
  kindOfField,
  mayHoldHost,
  plainName,
} from './field-names.ts';
import { jsonReader } from './json-in-text.ts';
import { pathsOfPatch } from './patch-paths.ts';
import { decodedPath, LONGEST_PATH, looksLikeGlob, looksLikePath, pathsWithin } from './path-shapes.ts';

/** A host with a dot in its name or in brackets, with or without a port. */
const HOST = /^(?:(?:[a-z\d](?:[\w-]*[a-z\d])?\.)+[a-z\d-]+\.?|localhost|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
/** `git@host:path`, as git, scp and rsync read it. */
const REMOTE = /^[\w.-]+@([\w.-]+|\[[\da-f:.]+\]):\S+$/i;

/** The places that a call names; `undefined` stands for such a field whose value is not a text. */
export interface NamedPlaces {
  readonly paths: readonly (string | undefined)[];
  readonly urls: readonly (string | undefined)[];
  /** Other likely paths: texts in the shape of a path, decoded texts, folders that the tool may search. */
  readonly likely: readonly string[];
  /** The paths of patches in texts other than contents. Only deny and ask rules read them. */
  readonly patched: readonly string[];
  /** Texts in the shape of a glob. */
  readonly globs: readonly string[];
  /** Texts in the shape of a host, in fields that may hold anything. */
  readonly hosts: readonly string[];
}

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Texts that `new URL` still reads as such an address. */
const LOOSE_ADDRESS = /^\s*(?:https?|wss?|ftp):[/\\]*[^\s/\\]\S*\s*$/i;
/** The maximum number of texts of a call that are looked up on the disk. With more, its places are unknown. */
const MOST_LOOKUPS = 1_000;

/**
 * Finds the paths and addresses in an input of any shape, by field names and by the shape of texts, at any depth. It skips the texts of contents,
 * except patches. Objects below them count by the names of their fields.
 */
export function namedPlaces(input: JsonObject, place: RulePlace, disk: DiskView = createDiskView()): NamedPlaces {
  const found = nothing(disk);
  const readJson = jsonReader();
  const stack: Seen[] = [{ value: input, name: '', inContent: false, folder: undefined, working: [] }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, name, inContent } = next;
    const json = typeof value === 'string' && !inContent ? readJson(value) : undefined;
    if (json === 'unread') found.paths.push(undefined);
    else if (json !== undefined) stack.push({ ...next, value: json as JsonValue });
    if (Array.isArray(value)) for (const item of value) stack.push({ ...next, value: item });
    else if (typeof value === 'object' && value !== null && !isPlaceholder(value)) {
      const folder = folderIn(value as JsonObject);
      const working = [...next.working, ...workingFoldersIn(value as JsonObject)];
      for (const [key, field] of Object.entries(value)) {
        // `files: { 'a.txt': 'text' }` names a file by its key.
        if (kindOfField(name) === 'path' && /[./\\]/.test(key)) addText(key, name, place, found, { folder, working });
        stack.push({ ...propertyOf(next, key, field), folder, working });
      }
    } else if (typeof value === 'string') {
      addPatch(value, inContent, found, next);
      if (!inContent || kindOfField(name) !== undefined) addText(value, name, place, found, next);
    } else if (value !== null) {
      const kind = kindOfField(name);
      if (kind === 'path') found.paths.push(undefined);
      else if (kind !== undefined) found.urls.push(undefined);
    }
  }
  return found;
}

/** A value of an input, the plain name of its field, and whether it is in a content field. */
interface Seen {
  readonly value: JsonValue;
  readonly name: string;
  readonly inContent: boolean;
  /** The folder in a neighbouring field, where globs begin. */
  readonly folder: string | undefined;
  /** Working folders of the tool, from fields of the same or an outer object. */
  readonly working: readonly string[];
}

/** Returns the only path that an object names as a text. */
function folderIn(object: JsonObject): string | undefined {
  const paths = Object.entries(object).filter(([key]) => kindOfField(plainName(key)) === 'path');
  const [[, path] = []] = paths;
  return paths.length === 1 && typeof path === 'string' && path !== '' && !/[*?[{]/.test(path) ? path : undefined;
}

function workingFoldersIn(object: JsonObject): readonly string[] {
  const values = Object.entries(object).filter(([key]) => isWorkingFolder(plainName(key)));
  return values.flatMap(([, value]) => (typeof value === 'string' && value !== '' ? [value] : []));
}

function propertyOf({ name, inContent }: Seen, key: string, value: JsonValue): Omit<Seen, 'folder' | 'working'> {
  const own = plainName(key);
  if (holdsContent(own)) return { value, name: '', inContent: true };
  // Below a field that names a place, any other name stands for a part of it.
  return {
    value,
    name: kindOfField(own) === undefined && !holdsGlob(own) && kindOfField(name) !== undefined ? name : own,
    inContent,
  };
}

/** Returns the places in the named fields of an input: texts, or lists of them. */
export function placesIn(values: readonly (JsonValue | undefined)[]): NamedPlaces {
  const given = values.flatMap((value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]));
  const texts = given.map((value) => (typeof value === 'string' ? value : undefined));
  const found = nothing();
  for (const text of texts.filter((one) => one !== undefined)) {
    addLikely(text, 'path', found);
    addPatch(text, false, found);
  }
  return { ...found, paths: texts.map((text) => text && pathOf(text)), urls: texts };
}

/** The separators of several places in one text; an address may contain a comma. */
const LIST: Readonly<Record<FieldKind, RegExp>> = {
  path: /[,;\r\n]+/,
  url: /[,;\s]+(?=[a-z][a-z0-9+.-]{0,20}:\/\/)/i,
  host: /[,;\s]+/,
};
const MOST_LISTED = 1_000;

interface Found {
  readonly paths: (string | undefined)[];
  readonly urls: (string | undefined)[];
  readonly likely: string[];
  readonly patched: string[];
  readonly globs: string[];
  readonly hosts: string[];
  readonly disk: DiskView;
  lookups: number;
}

const nothing = (disk = createDiskView()): Found => ({
  paths: [],
  urls: [],
  likely: [],
  patched: [],
  globs: [],
  hosts: [],
  disk,
  lookups: 0,
});

function addText(text: string, name: string, place: RulePlace, found: Found, context: Context = {}): void {
  const { paths, urls } = found;
  const kind = kindOfField(name);
  const remote = remoteAddress(text);
  const list = kind === undefined ? [] : text.split(LIST[kind], MOST_LISTED);
  if (list.length > 1) for (const one of list) if (one !== '') addText(one.trim(), name, place, found, context);
  if (!SCHEME.test(text)) addLikely(text, name, found, context);
  if (kind === undefined && !SCHEME.test(text) && LOOSE_ADDRESS.test(text)) urls.push(text);
  if (kind !== 'host' && remote !== undefined) urls.push(remote);
  if (kind !== 'host' && looksLikeHost(text)) found.hosts.push(text);
  if (kind === undefined && mayHoldHost(name) && looksLikeHost(text)) urls.push(`http://${text}`);
  if (/^file:\S+$/i.test(text)) {
    paths.push(pathOf(text));
    // Without a slash, some programs read the rest as the path.
    if (/^file:[^/]/i.test(text)) paths.push(text.slice('file:'.length));
  } else if (SCHEME.test(text)) {
    if (/^file:/i.test(text)) paths.push(pathOf(text));
    else urls.push(text);
  } else if (/^\/\/[^/]/.test(text)) {
    // An address without its scheme, which may also be a path.
    urls.push(`http:${text}`);
    paths.push(text);
  } else if (kind === 'host') urls.push(`http://${text}`);
  else if (kind === 'url') {
    if (remote === undefined) urls.push(text);
    if (text !== '') paths.push(text);
  } else if (kind === 'path') paths.push(text);
  else {
    const named = /^-.*?=(.+)$/s.exec(text)?.[1] ?? text;
    found.lookups += 1;
    if (found.lookups > MOST_LOOKUPS) paths.push(undefined);
    else if (isExisting(named, place, found.disk)) {
      paths.push(named);
      found.likely.push(named);
    }
  }
}

const isRelative = (path: string): boolean => !/^(?:[/~]|[A-Za-z]:)/.test(path);

/** The folders in the fields next to a text. */
type Context = Partial<Pick<Seen, 'folder' | 'working'>>;

/** Adds other readings of a text, for deny and ask rules. */
function addLikely(text: string, name: string, found: Found, { folder = '.', working = [] }: Context = {}): void {
  const kind = kindOfField(name);
  if (kind === 'host') return;
  const whole = text.trim().replace(/^file:(?!\/)/i, '');
  for (const one of new Set([whole, decodedPath(whole) ?? whole, ...pathsWithin(whole)])) {
    const path = one.replaceAll('\\', '/');
    const isFolder = kind === 'path' && !isWorkingFolder(name);
    if (isFolder || one !== whole || looksLikePath(one)) {
      found.likely.push(path);
      if (isRelative(one)) found.likely.push(...working.map((at) => `${at}/${path}`));
    }
    if (looksLikeGlob(one, holdsGlob(name) || kind === 'path')) {
      const isOfFolder = holdsGlob(name) && isRelative(one);
      if (!isOfFolder || one.includes('{/')) found.globs.push(one);
      if (isOfFolder) found.globs.push(`${folder}/${one}`);
    }
  }
}

/** Adds the paths of a patch. A content may be a text about a patch. */
function addPatch(text: string, inContent: boolean, found: Found, { working = [] }: Context = {}): void {
  const paths = pathsOfPatch(text);
  if (paths.length === 0) return;
  if (!inContent) found.patched.push(...paths);
  for (const path of new Set([...paths, ...pathsOfPatch(text, true)]))
    found.likely.push(path, ...(isRelative(path) ? working.map((at) => `${at}/${path}`) : []));
}

/** Returns the path of a `file:` address, and other texts unchanged. */
function pathOf(text: string): string | undefined {
  if (!/^file:/i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

function isExisting(text: string, { cwd, home }: RulePlace, disk: DiskView): boolean {
  if (text === '' || text.length > LONGEST_PATH || /[\0\r\n]/.test(text)) return false;
  return disk.exists(resolve(cwd, text.replace(/^~(?=\/|$)/, home)));
}

/** Returns whether a text has the shape of a host: `db.internal:5432`. */
const looksLikeHost = (text: string): boolean => HOST.test(text);

/** Returns the address of `git@host:path`; `undefined` for any other text. */
function remoteAddress(text: string): string | undefined {
  const [, host] = REMOTE.exec(text) ?? [];
  return host === undefined ? undefined : `ssh://${host}`;
}
