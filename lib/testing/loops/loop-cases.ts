import { actingCases } from './acting-cases.ts';
import { callAndReasoningCases } from './call-and-reasoning-cases.ts';
import { failureAndOwnerCases } from './failure-and-owner-cases.ts';
import type { LoopCase } from './loop-case.ts';

/** All cases of the contract, by title. */
export const loopCases: Readonly<Record<string, LoopCase>> = {
  ...callAndReasoningCases,
  ...actingCases,
  ...failureAndOwnerCases,
};
