/**
 * A character without its case and width, and taken apart into its letters and marks: `Ａ` is `a`, `ß` is `ss`, `é` is `e` and an accent,
 * `ｶﾞ` is as `ガ`. Of what cannot be seen nothing is left.
 */
export function foldCharacter(character: string): string {
  if (INVISIBLE.test(character)) return '';
  if (SPACE.test(character)) return ' ';
  // By way of upper case: a final sigma is a sigma, and ß is two letters.
  return character
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(FINAL_SIGMA, 'σ');
}

const INVISIBLE = /^(?:\p{Default_Ignorable_Code_Point}|\p{Cf})$/u;
const SPACE = /^\s$/u;
const FINAL_SIGMA = 'ς';
