/** Country codes of one and two digits; the others have three digits and begin as in `THREE`. */
const ONE_OR_TWO = /^(?:1|7|20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;
const THREE =
  /^(?:21[1-8]|22\d|23\d|24\d|25[0-8]|26\d|29[01789]|35\d|37[0-8]|38[0-79]|42[013]|50\d|59\d|67\d|68\d|69[0-2]|8[05]\d|88\d|96\d|97\d|99\d)/;

/** Returns whether an international number has a country code and a number of digits that E.164 allows. */
export function phoneNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  return (
    digits.length >= 8 &&
    digits.length <= 15 &&
    !/^(\d)\1+$/.test(digits) &&
    (ONE_OR_TWO.test(digits) || THREE.test(digits))
  );
}
