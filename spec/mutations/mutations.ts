import { decisions } from './decisions.ts';
import { gates } from './gates.ts';
import type { Mutation } from './mutation.ts';
import { runs } from './runs.ts';
import { streams } from './streams.ts';

/** All mutations, each of which some spec has to notice. */
export const mutations: readonly Mutation[] = [...decisions, ...gates, ...runs, ...streams];
