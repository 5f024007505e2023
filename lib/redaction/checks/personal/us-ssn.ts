/** Numbers that advertisements published. */
const ADVERTISED = new Set(['078051120', '219099999', '123456789', '457555462']);

/** Returns whether nine digits can be a US social security number: no area 000, 666 or 9xx, no group 00, no serial 0000. */
export function usSsn(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  const area = digits.slice(0, 3);
  if (digits.length !== 9 || area === '000' || area === '666' || area > '899') return false;
  return digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000' && !ADVERTISED.has(digits);
}
