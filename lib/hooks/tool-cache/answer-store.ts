import type { ToolItem } from '../../pipeline/define/tool.ts';

/** What a tool gave, and until when it counts. */
export interface KeptAnswer {
  readonly items: readonly ToolItem[];
  readonly since: number;
  readonly until: number;
  readonly size: number;
}

/** Answers by key, each with somebody whose it is. The one that was read longest ago goes first where there is no room. */
export interface AnswerStore {
  get(key: string, now: number): KeptAnswer | undefined;
  set(owner: string, key: string, answer: KeptAnswer): void;
  /** Forgets all answers of an owner. */
  forget(owner: string): void;
  readonly size: number;
}

/** Keeps at most so many answers, and so many characters of all together. */
export function createAnswerStore(maxAnswers: number, maxChars: number): AnswerStore {
  // A Map keeps the order in which its keys came: the first is the one that was read longest ago.
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
      for (const eldest of answers.keys()) {
        if (answers.size <= maxAnswers && chars <= maxChars) return;
        remove(eldest);
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
