import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';
import { setOrigin } from '../../hooks/recorder/hook-origin.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { type CompiledHook, identityOf } from '../compile-config.ts';
import type { ConfigIssue } from '../issues/config-issue.ts';
import { originOfEntry } from '../kinds/entry-digest.ts';
import type { ConfigEdit, HookHost, MadeHooks } from '../kinds/hook-kind.ts';

/** Hooks in use. Release them once. */
export interface PooledHooks {
  readonly hooks: readonly Hook[];
  /** Returns the objections of the hooks to a change of the configuration, as issues with locations. */
  issuesOfChange(edit: ConfigEdit): Promise<readonly ConfigIssue[]>;
  release(): void;
}

/** Created hooks, shared by all configurations with the same entry. The process of a hook runs once, and ends when it is no longer in use. */
export interface HookPool {
  /**
   * Creates the enabled hooks. A hook that cannot be created is an issue at its location. So is a hook or tool with the name of another one, or of one in
   * `others`. If there are issues, all hooks are released.
   */
  acquire(hooks: readonly CompiledHook[], issues: ConfigIssue[], others?: readonly Hook[]): Promise<PooledHooks>;
  /** Resolves when all released hooks have ended. */
  settled(): Promise<void>;
}

interface Shared {
  readonly made: Promise<MadeHooks>;
  users: number;
}

export function createHookPool(host: HookHost): HookPool {
  const shared = new Map<string, Shared>();
  const ending = new Set<Promise<void>>();

  function take(hook: CompiledHook): { key: string; made: Promise<MadeHooks> } {
    const key = JSON.stringify(identityOf(hook));
    const known = shared.get(key) ?? { made: make(hook, host), users: 0 };
    known.users += 1;
    shared.set(key, known);
    return { key, made: known.made };
  }

  function give(key: string): void {
    const known = shared.get(key);
    if (!known) return;
    known.users -= 1;
    if (known.users > 0) return;
    shared.delete(key);
    const end = known.made
      .then(
        (made) => made.close?.(),
        // A hook that was not created has nothing to end; its error was reported to the caller.
        () => undefined,
      )
      .catch((error: unknown) => host.log?.warn({ err: error }, 'a hook that is no longer used did not end'))
      .then(() => void ending.delete(end));
    ending.add(end);
  }

  return {
    async acquire(hooks, issues, others = []) {
      const before = issues.length;
      const taken = hooks.filter(({ entry }) => entry.enabled !== false).map((hook) => ({ hook, ...take(hook) }));
      const release = once(() => {
        for (const { key } of taken) give(key);
      });
      const made = await Promise.allSettled(taken.map((one) => one.made));
      const takenNames = takeNames(others);
      for (const [index, result] of made.entries()) {
        const { issue } = taken[index]!.hook;
        if (result.status === 'rejected') issues.push(issue([], wordsOf(result.reason)));
        else for (const twice of takenNames(result.value.hooks)) issues.push(issue([], twice));
      }
      if (issues.length > before) release();
      const fulfilled = made.flatMap((one, index) =>
        one.status === 'fulfilled' ? [{ ...one.value, issue: taken[index]!.hook.issue }] : [],
      );
      return {
        hooks: fulfilled.flatMap((one) => one.hooks),
        async issuesOfChange(edit) {
          const against: ConfigIssue[] = [];
          for (const { mayChange, issue } of fulfilled) {
            const reason = await mayChange?.(edit);
            if (reason !== undefined) against.push(issue([], `it denies the change of the configuration: ${reason}`));
          }
          return against;
        },
        release,
      };
    },
    async settled() {
      while (ending.size > 0) await Promise.all(ending);
    },
  };
}

/** Returns a function that checks hooks in order and reports the names of hooks and tools that are already taken. */
function takeNames(others: readonly Hook[]): (hooks: readonly Hook[]) => readonly string[] {
  const known = new Set<string>();
  const take = (what: string, name: string): string[] => {
    const key = `${what} ${name}`;
    if (known.has(key)) return [`it defines a ${what} named "${name}", which already exists. Rename one of them.`];
    known.add(key);
    return [];
  };
  const takeAll = (hooks: readonly Hook[]): string[] =>
    hooks.flatMap(({ name, tools = [] }) => [
      ...take('hook', name),
      ...tools.flatMap((tool) => take('tool', tool.name)),
    ]);
  takeAll(others);
  return takeAll;
}

async function make(compiled: CompiledHook, host: HookHost): Promise<MadeHooks> {
  const { name, kind, entry, folder, defaults } = compiled;
  const made = await kind.make({ name, entry, folder, defaults, host });
  const origin = originOfEntry(compiled);
  for (const hook of made.hooks) setOrigin(hook, origin);
  return made;
}

function wordsOf(thrown: unknown): string {
  if (thrown instanceof HooklineError) return thrown.message;
  return `cannot create it: ${messageOf(thrown)}`;
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}
