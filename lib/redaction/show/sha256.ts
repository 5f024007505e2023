/** The first 32 bits of the fractions of the cube roots of the first 64 primes, and of the square roots of the first 8. */
const [ROUNDS, START] = constants();

/** Returns the SHA-256 of bytes, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  const sums = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let k = 0; k < 16; k++) words[k] = view.getUint32(block + 4 * k);
    for (let k = 16; k < 64; k++) {
      const early = words[k - 15]!;
      const late = words[k - 2]!;
      const spreadEarly = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const spreadLate = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[k] = words[k - 16]! + spreadEarly + words[k - 7]! + spreadLate;
    }
    mix(sums, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let k = 0; k < 8; k++) digest.setUint32(4 * k, sums[k]!);
  return new Uint8Array(digest.buffer);
}

function mix(sums: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = sums as unknown as [number, number, number, number, number, number, number, number];
  for (let k = 0; k < 64; k++) {
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[k]! + words[k]!) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, k) => {
    sums[k] = sums[k]! + value;
  });
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** Appends a one, zeros, and the length in bits, up to a multiple of 64 bytes. */
function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  return padded;
}

function constants(): [Uint32Array, Uint32Array] {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
  return [
    Uint32Array.from(primes, (p) => fraction(Math.cbrt(p))),
    Uint32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p))),
  ];
}
