import { HooklineError } from '../errors.ts';
import type { JsonObject, JsonValue } from '../events/json-value.ts';
import { toJson } from '../events/to-json.ts';

interface Secret {
  readonly hook: string;
  readonly label: string;
  readonly value: JsonValue;
  /** Where the sealing hook put the placeholder; nowhere else does it count. */
  readonly places: Set<string>;
}

/** The sealed values of one call. */
export interface Vault {
  /** Whether anything has been sealed. */
  readonly used: boolean;
  seal(hook: string, label: string, value: JsonValue): JsonObject;
  /** The handlers have had their say: nothing can be sealed any more. */
  close(): void;
  /** Notes where `hook` has put its placeholders in the input that it returned. */
  placed(hook: string, input: JsonObject): void;
  /** The input as `execute` gets it, and the paths of the values that were put in. */
  open(input: JsonObject): { readonly input: JsonObject; readonly sealed: ReadonlyMap<string, JsonObject> };
}

export function createVault(): Vault {
  return new CallVault();
}

const nothingSealed: ReadonlyMap<string, JsonObject> = new Map();

/** A class for its weight: every call has one, and few seal anything. */
class CallVault implements Vault {
  #secrets: Map<string, Secret> | undefined = undefined;
  #closed = false;

  get used(): boolean {
    return this.#secrets !== undefined;
  }

  seal(hook: string, label: string, value: JsonValue): JsonObject {
    if (this.#closed) throw new HooklineError('SEAL_MISUSED', tooLate(hook));
    if (typeof label !== 'string' || label === '') {
      throw new HooklineError(
        'SEAL_MISUSED',
        `Hook "${hook}": context.seal(label, value) needs a label, a string that says what is sealed.`,
      );
    }
    const nonce = crypto.randomUUID();
    const secret = { hook, label, value: toJson(value, `sealed value "${label}"`), places: new Set<string>() };
    this.#secrets ??= new Map();
    this.#secrets.set(nonce, secret);
    return { $sealed: label, nonce };
  }

  close(): void {
    this.#closed = true;
  }

  placed(hook: string, input: JsonObject): void {
    walk(input, '', (placeholder, path) => {
      const secret = this.#secrets?.get(placeholder.nonce);
      if (secret?.hook === hook) secret.places.add(path);
      return undefined;
    });
  }

  open(input: JsonObject): ReturnType<Vault['open']> {
    const secrets = this.#secrets;
    // A copy in any case: a schema may write into what it is given, and the event's own input is frozen.
    if (!secrets) return { input: walk(input, '', () => undefined) as JsonObject, sealed: nothingSealed };
    const sealed = new Map<string, JsonObject>();
    const opened = walk(input, '', (placeholder, path) => {
      const secret = secrets.get(placeholder.nonce);
      if (!secret?.places.has(path)) return undefined;
      sealed.set(path, placeholder);
      return secret.value;
    });
    return { input: opened as JsonObject, sealed };
  }
}

/** A placeholder as it stands in an input. */
type Placeholder = { readonly $sealed: string; readonly nonce: string };

/** Whether `value` looks like a placeholder of a sealed value. */
export function isPlaceholder(value: JsonValue | undefined): value is Placeholder {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { $sealed, nonce } = value as JsonObject;
  return typeof $sealed === 'string' && typeof nonce === 'string' && Object.keys(value).length === 2;
}

/** A copy of `value` in which `replace` may put something for each placeholder. Paths are JSON pointers. */
export function walk(
  value: JsonValue,
  path: string,
  replace: (placeholder: Placeholder, path: string) => JsonValue | undefined,
): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isPlaceholder(value)) return replace(value, path) ?? value;
  const at = (key: string | number) => `${path}/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`;
  if (Array.isArray(value)) return value.map((item, index) => walk(item, at(index), replace));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, at(key), replace)]));
}

/** Why a hook cannot seal now. */
export function tooLate(hook: string): string {
  return `Hook "${hook}": context.seal works in on.preActing only, where a call can still be changed.`;
}
