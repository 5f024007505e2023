// A loop that knows nothing of hooks, as own-adapter.ts finds it.
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [name: string]: number };
}

/** Asks a model. */
export type Ask = (said: readonly string[]) => Promise<{ readonly text: string; readonly call?: Call }>;

/** Asks, runs what the model wants, and asks again, until it only answers. */
export async function theirLoop(question: string, ask: Ask, run: (call: Call) => Promise<unknown>): Promise<string> {
  const said = [question];
  for (;;) {
    const { text, call } = await ask(said);
    if (!call) return text;
    const result = await run(call);
    console.log(`${call.name}: ${result}`);
    said.push(`${call.name} gave ${result}`);
  }
}

export const theirTools = { add: async ({ a, b }: Call['input']): Promise<number> => Number(a) + Number(b) };

/** A model that adds twice. */
export const theirAsk: Ask = async (said) => {
  const call = (a: number, b: number) => ({ id: `call-${said.length}`, name: 'add', input: { a, b } });
  if (said.length === 1) return { text: 'I add.', call: call(2, 3) };
  if (said.length === 2) return { text: 'And again.', call: call(20, 3) };
  return { text: 'It is 5.' };
};
