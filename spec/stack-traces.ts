/** Stack traces name lines of the source. ts-node maps each frame again, which was half of the time of some specs. This maps each place once. */
const { prepareStackTrace } = Error;
const mapped = new Map<string, string>();
const plain = new Error();

if (prepareStackTrace)
  Error.prepareStackTrace = (error, frames) => [prepareStackTrace(error, []), ...frames.map(mappedFrame)].join('');

function mappedFrame(frame: NodeJS.CallSite): string {
  const place = String(frame);
  const known = mapped.get(place) ?? String(prepareStackTrace?.(plain, [frame])).slice(plain.name.length);
  mapped.set(place, known);
  return known;
}
