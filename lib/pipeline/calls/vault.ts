import { checkFields } from '../../errors/check-fields.ts';
import { HooklineError } from '../../errors.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { walk } from '../../events/values/sealed-placeholder.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { SealOptions } from '../define/hook-context.ts';

interface Secret {
  readonly hook: string;
  readonly value: JsonValue;
  /** Replaces the value when the schema is tried without it. */
  readonly decoy: JsonValue;
  /** The paths at which the sealing hook put the placeholder, with the tool. It is ignored elsewhere. */
  readonly places: Map<string, string>;
}

/** The sealed values of an input by JSON pointer. */
export type Sealed = ReadonlyMap<string, { readonly placeholder: JsonObject; readonly value: JsonValue }>;

/** An input with its sealed values, and the same input with decoys. */
export interface Opened {
  readonly input: JsonObject;
  readonly decoyed: JsonObject;
  readonly sealed: Sealed;
}

const nothingSealed: Sealed = new Map();

/** The sealed values of one call. A class to save memory: every call has one, and few seal a value. */
export class Vault {
  #secrets: Map<string, Secret> | undefined = undefined;
  #closed = false;

  /** Whether a value was sealed. */
  get used(): boolean {
    return this.#secrets !== undefined;
  }

  seal(hook: string, label: string, value: JsonValue, options: SealOptions = {}): JsonObject {
    if (this.#closed) throw new HooklineError('SEAL_MISUSED', tooLate(hook));
    if (typeof label !== 'string' || label === '') {
      throw new HooklineError(
        'SEAL_MISUSED',
        `Hook "${hook}": context.seal(label, value) requires a label: a string that names the sealed value.`,
      );
    }
    const issue = checkFields(options, ['decoy']);
    if (issue !== undefined)
      throw new HooklineError('SEAL_MISUSED', `Hook "${hook}": context.seal(label, value, options): options ${issue}.`);
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

  /** Ends sealing, after the handlers ran. */
  close(): void {
    this.#closed = true;
  }

  /** Records the paths of the placeholders in the call that `hook` returned. */
  placed(hook: string, { name, input }: ToolCall): void {
    walk(input, '', (placeholder, path) => {
      const secret = this.#secrets?.get(placeholder.nonce);
      if (secret?.hook === hook) secret.places.set(path, name);
      return undefined;
    });
  }

  /** Returns why the call must not run: a later hook renamed the tool that a value was sealed for. */
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

  /** Returns the input for the tool's schema, and the injected values. */
  open(input: JsonObject): Opened {
    const secrets = this.#secrets;
    // Always a copy, because a schema may modify its argument, and the event's input is frozen.
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

/** The message for a hook that seals at the wrong time. */
export function tooLate(hook: string): string {
  return `Hook "${hook}": context.seal works in on.preActing only, where a call can still be changed.`;
}

/** Returns another value of the same shape, so that the schema's outputs differ only because of the value. */
export function decoyOf(value: JsonValue): JsonValue {
  // From about 9e15 on, adding one returns the same number.
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

/** Most scripts have their letters in long ranges, so the adjacent code point is a letter, too. */
function neighbour(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) as number) ^ 1);
}

/** Returns the next letter or digit, because a pattern that matches a secret usually accepts it. */
function next(last: string, first: string): (character: string) => string {
  return (character) => (character === last ? first : String.fromCharCode(character.charCodeAt(0) + 1));
}
