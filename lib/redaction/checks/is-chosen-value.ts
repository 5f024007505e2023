import { finder } from '../pattern/finder.ts';
import { isBarePasswordValue, isPassphrase } from './is-bare-password-value.ts';
import { isPublic } from './is-public.ts';
import { isCommonPassword } from './known-words.ts';

const hasDigitOrMark = finder(/\d|[!@#$%^*+~=][\s\S]/);
const hasLetterOrMark = finder(/[A-Za-z!@#$%^*+~=]/);
const isOrdinary = finder(
  /^\d+(?:st|nd|rd|th|x|px|em|ms|s|m|h|d|k|kb|mb|gb|bits?|bytes?|chars?|characters?)\W?$|^(?:[a-z]{1,8}-)?\d{1,4}(?:-[a-z]{1,12})?$|^v\d|\.[a-z]{2,4}$|^\d+[/:.x-]\d+|^(?:sha|md|utf|base|rsa|aes|oauth|ipv|http|http\/|h|p|f|k8)-?\d+\W?$/i,
);

/**
 * Returns whether a value after a word for secrets, without a sign of assignment, is a secret. A digit or a sign among its letters distinguishes it from the
 * words of a sentence.
 */
export function isChosenValue(value: string): boolean {
  if (value.length < 5 || /\s/.test(value)) return false;
  if (isCommonPassword(value) || isPassphrase(value)) return true;
  return (
    hasDigitOrMark(value) &&
    hasLetterOrMark(value) &&
    !isOrdinary(value) &&
    !isPublic(value) &&
    isBarePasswordValue(value)
  );
}
