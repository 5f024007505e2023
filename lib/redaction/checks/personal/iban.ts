/** Whether an IBAN's check digits are right: mod 97, letters being numbers. Its length is the pattern's business. */
export function iban(text: string): boolean {
  const plain = text.replace(/\s/g, '').toUpperCase();
  // They are 98 less a rest, so 00, 01 and 99 never come out of the formula, though they fit it.
  if (['00', '01', '99'].includes(plain.slice(2, 4))) return false;
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}
