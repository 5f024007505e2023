// Every hook has to keep the same rules. `hookContract` tries one with empty, huge and cancelled input and lists what it breaks.
import { defineHook, modify } from 'hookline';
import { hookContract } from 'hookline/testing';

const polite = defineHook({
  name: 'polite',
  on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.replaceAll('!', '.') }) },
});

// It misses the word where that is cut over two chunks.
const leaky = defineHook({
  name: 'leaky',
  on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.replaceAll('swordfish', '*********') }) },
});

async function main(): Promise<void> {
  const options = { texts: ['The word is swordfish!'], boundaries: true };
  const { hook } = await hookContract(polite, options);
  console.log(`${hook} keeps the rules`);
  await hookContract(leaky, options).catch((error: Error) => console.log(error.message));
}

void main();
