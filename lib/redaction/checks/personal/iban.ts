/** Returns whether the check digits of an IBAN are correct: mod 97, with letters as numbers. The pattern checks its length. */
export function iban(text: string): boolean {
  const plain = text.replace(/\s/g, '').toUpperCase();
  // The digits are 98 minus a remainder, so the formula never produces 00, 01 and 99, although they satisfy it.
  if (['00', '01', '99'].includes(plain.slice(2, 4))) return false;
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}
