/** Replays of recorded runs. */
export {
  type Backtest,
  type BacktestOptions,
  backtest,
  type ChangeExample,
  isLooser,
  type VerdictChange,
} from './backtest.ts';
export type { HookDifference } from './compare-hooks.ts';
export type { EventDifference } from './compare-runs.ts';
export { type Replay, type ReplayOptions, type RunReplay, replay } from './replay.ts';
export type { EventVerdict, VerdictAction } from './verdicts.ts';
