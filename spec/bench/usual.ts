/** What is usual among rounds in each of which several things were measured: the median. */
export function usual<Round>(rounds: readonly Round[], figure: (round: Round) => number): number {
  return rounds.map(figure).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] as number;
}
