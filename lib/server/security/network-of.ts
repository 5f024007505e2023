/** Returns one form of an IPv4 address, and the network of an IPv6 address, because one host owns all addresses of its network. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  return address.includes(':') && !address.startsWith('::') ? address.split(':').slice(0, 4).join(':') : address;
}
