import { defineHook, modify } from 'hookline';

/** A module of a configuration gives a hook, hooks, or a function of its options that makes them. */
export default ({ instead }: { readonly instead: string }) =>
  defineHook({
    name: 'polite',
    on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.replaceAll('!', instead) }) },
  });
