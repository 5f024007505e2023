import type { JsonObject } from '../../events/values/json-value.ts';
import { takeQuotes } from './quotes.ts';
import { rules, type ToolName } from './rules.ts';

/** A call that a prompt requests. */
export interface PlannedCall {
  readonly tool: ToolName;
  readonly input: JsonObject;
}

/** The requests of a prompt: the calls of each step, and the words that matched no rule. */
export interface Requests {
  readonly steps: readonly (readonly PlannedCall[])[];
  readonly unclear: readonly string[];
}

const STEP = /\s*(?:[;\n]+|,?\s*\b(?:and\s+)?then\b,?|(?<=[\w\uE000])\.\s+)\s*/i;
const JOINT = /(\s*,\s*(?:and\s+)?|\s+and\s+)/i;
const COURTESY = /^(?:(?:please|now|first|next|also|finally|can you|could you|would you|i want you to)\b,?\s*)+/i;
const PATH_LIKE = /^\S*[./\uE000]\S*$/;

/** The rules are not made for longer texts. Quotations do not count. */
const MAX_LENGTH = 2000;

/** Parses a prompt: "then" and ";" separate steps, "and" and "," separate the calls of a step. */
export function readRequests(prompt: string): Requests {
  const { text, restore } = takeQuotes(prompt);
  if (text.length > MAX_LENGTH) return { steps: [], unclear: [prompt] };
  const unclear: string[] = [];
  const steps = text.split(STEP).map((step) =>
    partsOf(step).flatMap((part) => {
      const call = matchRule(part, restore);
      if (!call && part.trim() !== '') unclear.push(restore(part.trim()));
      return call ?? [];
    }),
  );
  return { steps: steps.filter((step) => step.length > 0), unclear };
}

/** "and" separates two requests only if both sides are requests: "search for salt and pepper" stays whole. */
function partsOf(step: string): string[] {
  const [first = '', ...rest] = step.split(JOINT);
  const parts = [first];
  for (let index = 0; index < rest.length; index += 2) {
    const [joint = '', next = ''] = rest.slice(index, index + 2);
    const last = parts.at(-1) ?? '';
    const [verb] = /^(?:read|open|show|print|cat|delete|remove|rm)\b/i.exec(last.trim().replace(COURTESY, '')) ?? [];
    if (matchRule(next)) parts.push(next);
    else if (!matchRule(last) || matchRule(last + joint + next)) parts.splice(-1, 1, last + joint + next);
    else parts.push(verb && PATH_LIKE.test(next.trim()) ? `${verb} ${next}` : next);
  }
  return parts;
}

function matchRule(part: string, restore: (piece: string) => string = (piece) => piece): PlannedCall | undefined {
  const plain = part
    .trim()
    .replace(COURTESY, '')
    .replace(/[!?]+$/, '')
    .replace(/(?<=[\w\uE000])\.$/, '');
  for (const { tool, pattern, defaults } of rules) {
    const groups = pattern.exec(plain)?.groups;
    if (!groups) continue;
    const given = Object.entries(groups).filter(([, value]) => value !== undefined);
    return {
      tool,
      input: { ...defaults, ...Object.fromEntries(given.map(([name, value]) => [name, restore(value)])) },
    };
  }
  return undefined;
}
