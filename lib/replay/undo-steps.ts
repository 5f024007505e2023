import type { SettledEvent } from '../events/hook-event.ts';
import type { JsonValue } from '../events/values/json-value.ts';
import type { TraceChange, TraceStep } from '../pipeline/define/hook.ts';

type Holder = Record<string, unknown> | unknown[];

/** Returns the event before any hook changed it, as far as the trace tells: `exact` is false if values are missing or cut. */
export function beforeHooks<E extends SettledEvent>(
  event: E,
  steps: readonly TraceStep[],
): { readonly event: E; readonly exact: boolean } {
  let exact = true;
  let made = event;
  for (const step of steps.toReversed()) {
    if (step.effect === 'passed' || step.stage === 'around' || !step.paths) continue;
    if (!isWhole(step)) {
      exact = false;
      continue;
    }
    const turned = (step.changes ?? []).map(({ path, before, after }) => change(path, after, before));
    made = apply(made, turned);
  }
  return { event: made, exact };
}

/** Returns the event with the changes of a step, or `undefined` if they do not fit the event or are not recorded. */
export function applyStep<E extends object>(event: E, step: TraceStep): E | undefined {
  if (!step.paths) return event;
  if (!isWhole(step)) return undefined;
  const changes = step.changes ?? [];
  const fits = changes.every(({ path, before }) => before === undefined || isSame(valueAt(event, path), before));
  return fits ? apply(event, changes) : undefined;
}

function isWhole({ paths = [], changes = [] }: TraceStep): boolean {
  return changes.length === paths.length && changes.every(({ cut }) => !cut);
}

function change(path: string, before: JsonValue | undefined, after: JsonValue | undefined): TraceChange {
  return { path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function apply<E extends object>(event: E, changes: readonly TraceChange[]): E {
  if (changes.length === 0) return event;
  const made = structuredClone(event);
  // Items that a list no longer has are removed last, from its end: the indices of the others stay right.
  const removed = changes.filter(({ after }) => after === undefined).toReversed();
  const kept = changes.filter(({ after }) => after !== undefined);
  for (const { path, before, after } of [...kept, ...removed]) put(made, path.split('.'), before, after);
  return made;
}

function put(root: object, path: readonly string[], before: JsonValue | undefined, after: JsonValue | undefined): void {
  const key = path.at(-1) as string;
  const holder = holderOf(root, path);
  if (holder === undefined) return;
  if (Array.isArray(holder)) {
    holder.splice(Number(key), before === undefined ? 0 : 1, ...(after === undefined ? [] : [after]));
    return;
  }
  if (after === undefined) delete holder[key];
  else holder[key] = after;
}

function valueAt(root: object, path: string): unknown {
  const keys = path.split('.');
  return (holderOf(root, keys) as Record<string, unknown> | undefined)?.[keys.at(-1) as string];
}

function holderOf(root: object, path: readonly string[]): Holder | undefined {
  let holder: unknown = root;
  for (const key of path.slice(0, -1)) holder = Object(holder)[key];
  return typeof holder === 'object' && holder !== null ? (holder as Holder) : undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
