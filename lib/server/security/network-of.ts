/** One form for an IPv4 address, however the socket tells it; of IPv6 the network, whose addresses all belong to one host. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  return address.includes(':') && !address.startsWith('::') ? address.split(':').slice(0, 4).join(':') : address;
}
