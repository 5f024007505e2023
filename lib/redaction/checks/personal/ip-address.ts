/** Returns whether an IPv4 address is personal: in range, not local, not for documentation. */
export function ipAddress(text: string): boolean {
  if (text.includes(':')) return !/^(?:::1?|fe80:.*|2001:db8:.*)$/i.test(text);
  const parts = text.split('.').map(Number) as [number, number, number, number];
  return parts.every((part) => part < 256) && parts[0] !== 0 && parts[0] !== 127 && parts[0] !== 255;
}
