import { faultOfMembers } from '../../errors/fault-of-members.ts';
import { HooklineError } from '../../errors.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { walk } from '../../events/values/sealed-placeholder.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { SealOptions } from '../define/hook-context.ts';

interface Secret {
  readonly hook: string;
  readonly value: JsonValue;
  /** What stands in its place where the schema is tried without it. */
  readonly decoy: JsonValue;
  /** Where the sealing hook put the placeholder, and for which tool; nowhere else does it count. */
  readonly places: Map<string, string>;
}

/** The sealed values of an input, by the JSON pointers of their places. */
export type Sealed = ReadonlyMap<string, { readonly placeholder: JsonObject; readonly value: JsonValue }>;

/** An input with its sealed values in, and with their decoys in their places. */
export interface Opened {
  readonly input: JsonObject;
  readonly decoyed: JsonObject;
  readonly sealed: Sealed;
}

const nothingSealed: Sealed = new Map();

/** The sealed values of one call. A class for its weight: every call has one, and few seal anything. */
export class Vault {
  #secrets: Map<string, Secret> | undefined = undefined;
  #closed = false;

  /** Whether anything has been sealed. */
  get used(): boolean {
    return this.#secrets !== undefined;
  }

  seal(hook: string, label: string, value: JsonValue, options: SealOptions = {}): JsonObject {
    if (this.#closed) throw new HooklineError('SEAL_MISUSED', tooLate(hook));
    if (typeof label !== 'string' || label === '') {
      throw new HooklineError(
        'SEAL_MISUSED',
        `Hook "${hook}": context.seal(label, value) needs a label, a string that says what is sealed.`,
      );
    }
    const fault = faultOfMembers(options, ['decoy']);
    if (fault !== undefined)
      throw new HooklineError('SEAL_MISUSED', `Hook "${hook}": context.seal(label, value, options): options ${fault}.`);
    const nonce = crypto.randomUUID();
    const own = toJson(value, `sealed value "${label}"`);
    const decoy = options.decoy === undefined ? decoyOf(own) : toJson(options.decoy, `decoy of "${label}"`);
    if (options.decoy !== undefined && JSON.stringify(decoy) === JSON.stringify(own))
      throw new HooklineError(
        'SEAL_MISUSED',
        `Hook "${hook}": context.seal(label, value, { decoy }): the decoy of "${label}" is the value itself; give a harmless one.`,
      );
    const secret = { hook, value: own, decoy, places: new Map<string, string>() };
    this.#secrets ??= new Map();
    this.#secrets.set(nonce, secret);
    return { $sealed: label, nonce };
  }

  /** The handlers have had their say: nothing can be sealed any more. */
  close(): void {
    this.#closed = true;
  }

  /** Notes where `hook` has put its placeholders in the call that it returned. */
  placed(hook: string, { name, input }: ToolCall): void {
    walk(input, '', (placeholder, path) => {
      const secret = this.#secrets?.get(placeholder.nonce);
      if (secret?.hook === hook) secret.places.set(path, name);
      return undefined;
    });
  }

  /** Why the call must not run, if it is of another tool than a value in it was sealed for: a later hook has renamed it. */
  misdirected({ name, input }: ToolCall): string | undefined {
    let why: string | undefined;
    walk(input, '', (placeholder, path) => {
      const secret = this.#secrets?.get(placeholder.nonce);
      const tool = secret?.places.get(path);
      if (tool !== undefined && tool !== name)
        why = `"${placeholder.$sealed}" was sealed by hook "${secret?.hook}" for tool "${tool}", not for "${name}". The hook that renames the call must run before it.`;
      return undefined;
    });
    return why;
  }

  /** The input as the tool's schema gets it, and the values that were put in. */
  open(input: JsonObject): Opened {
    const secrets = this.#secrets;
    // A copy in any case: a schema may write into what it is given, and the event's own input is frozen.
    if (!secrets) {
      const copied = walk(input, '', () => undefined) as JsonObject;
      return { input: copied, decoyed: copied, sealed: nothingSealed };
    }
    const sealed = new Map<string, { readonly placeholder: JsonObject; readonly value: JsonValue }>();
    const exchanged = (which: 'value' | 'decoy') =>
      walk(input, '', (placeholder, path) => {
        const secret = secrets.get(placeholder.nonce);
        if (!secret?.places.has(path)) return undefined;
        sealed.set(path, { placeholder, value: secret.value });
        return secret[which];
      }) as JsonObject;
    return { input: exchanged('value'), decoyed: exchanged('decoy'), sealed };
  }
}

/** Why a hook cannot seal now. */
export function tooLate(hook: string): string {
  return `Hook "${hook}": context.seal works in on.preActing only, where a call can still be changed.`;
}

/** Another value of the same shape: what a schema makes of it differs only by what it makes of the value itself. */
export function decoyOf(value: JsonValue): JsonValue {
  // From some 9e15 on, one more is the same number.
  if (typeof value === 'number') return value + 1 === value ? value / 2 : value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return otherText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decoyOf);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decoyOf(item)]));
}

function otherText(text: string): string {
  const other = text
    .replace(/[a-z]/g, next('z', 'a'))
    .replace(/[A-Z]/g, next('Z', 'A'))
    .replace(/\d/g, next('9', '0'))
    .replace(/[^\0-\x7f]/gu, neighbour);
  return other === text ? text.replace(/./gsu, neighbour) : other;
}

/** The letters of most scripts stand in long rows: the one beside a letter is one, too. */
function neighbour(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) as number) ^ 1);
}

/** The next letter or digit: patterns that a secret fits mostly take its neighbour too. */
function next(last: string, first: string): (character: string) => string {
  return (character) => (character === last ? first : String.fromCharCode(character.charCodeAt(0) + 1));
}
