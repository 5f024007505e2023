import type { Message } from '../../events/parts/message.ts';
import type { ToolDescription } from '../../events/parts/tool-description.ts';
import type { CountTokens } from './count-tokens.ts';
import { messageTokens, toolTokens } from './message-tokens.ts';

/** Estimates the tokens of messages and tools. */
export interface RememberedTokens {
  message(message: Message, model?: string): number;
  tools(tools: readonly ToolDescription[], model?: string): number;
}

/** Counts each message and each tool description once while it exists, because each step sends the conversation again. */
export function rememberTokens(count: CountTokens): RememberedTokens {
  const tool = remember((one: ToolDescription, model) => toolTokens([one], count, model));
  return {
    message: remember((one: Message, model) => messageTokens(one, count, model)),
    tools: (tools, model) => tools.reduce((sum, one) => sum + tool(one, model), 0),
  };
}

function remember<T extends object>(count: (what: T, model?: string) => number): (what: T, model?: string) => number {
  const known = new WeakMap<T, { readonly model: string | undefined; readonly tokens: number }>();
  return (what, model) => {
    const found = known.get(what);
    if (found !== undefined && found.model === model) return found.tokens;
    const tokens = count(what, model);
    known.set(what, { model, tokens });
    return tokens;
  };
}
