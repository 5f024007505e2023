/** Issuers and the lengths of their numbers. */
const ISSUERS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12}|62\d{14,17}|(?:5018|5020|5038|6304|6759|6761|6763)\d{8,15})$/;

const LONGEST = 19;

/** Returns whether a number is a payment card: prefix and length of an issuer, and Luhn's check digit. */
export function paymentCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  // Most rows of numbers in groups of four are longer than any card number.
  return digits.length <= LONGEST && ISSUERS.test(digits) && !/^(\d)\1+$/.test(digits) && luhn(digits);
}

/** Returns whether the last digit of a number is the check digit of Luhn's formula. */
export function luhn(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return digits.length > 1 && sum % 10 === 0;
}
