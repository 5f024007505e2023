import type { ToolItem } from '../../pipeline/define/tool.ts';

/** The cached output of a tool, and its validity. */
export interface KeptAnswer {
  readonly items: readonly ToolItem[];
  readonly since: number;
  readonly until: number;
  readonly size: number;
}

/** Cached answers by key, each with an owner. When the store is full, the least recently read one is removed. */
export interface AnswerStore {
  get(key: string, now: number): KeptAnswer | undefined;
  set(owner: string, key: string, answer: KeptAnswer): void;
  forget(owner: string): void;
  readonly size: number;
}

/** Limits the number of answers, and their total number of characters. */
export function createAnswerStore(maxAnswers: number, maxChars: number): AnswerStore {
  // A Map keeps insertion order: the first key is the least recently read one.
  const answers = new Map<string, { readonly owner: string; readonly answer: KeptAnswer }>();
  let chars = 0;

  function remove(key: string): void {
    chars -= answers.get(key)?.answer.size ?? 0;
    answers.delete(key);
  }

  return {
    get(key, now) {
      const found = answers.get(key);
      if (!found) return undefined;
      answers.delete(key);
      answers.set(key, found);
      if (found.answer.until > now) return found.answer;
      remove(key);
      return undefined;
    },
    set(owner, key, answer) {
      remove(key);
      answers.set(key, { owner, answer });
      chars += answer.size;
      for (const oldest of answers.keys()) {
        if (answers.size <= maxAnswers && chars <= maxChars) return;
        remove(oldest);
      }
    },
    forget(owner) {
      for (const [key, entry] of answers) if (entry.owner === owner) remove(key);
    },
    get size() {
      return answers.size;
    },
  };
}
