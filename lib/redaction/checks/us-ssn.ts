/** Numbers that advertisements have made public. */
const ADVERTISED = new Set(['078051120', '219099999', '123456789', '457555462']);

/** Whether nine digits can be a US social security number: no area 000, 666 or 9xx, no group 00, no serial 0000. */
export function usSsn(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits) && !ADVERTISED.has(digits);
}
