/** Whether an IBAN's check digits are right: mod 97, letters being numbers. Its length is the pattern's business. */
export function iban(text: string): boolean {
  const plain = text.replace(/\s/g, '').toUpperCase();
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}
