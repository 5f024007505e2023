import { finder } from '../pattern/finder.ts';
import { isReference } from './is-reference.ts';

/** Names in code: a chain, a call, an index, a type, a constant, a variable with a number, a word. */
const isNamed = finder(
  /^[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::|->)[A-Za-z_$][\w$]*)+[?!;:]?$/,
  /^[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::|->)[A-Za-z_$][\w$]*)*[([]/,
  /^(?:(?:Big)?U?[Ii]nt|Float|Complex|Decimal|Utf|Base|Sha|Md|Http|OAuth|Ed|Aes|Rsa|[iuf])\d+(?:[A-Z][A-Za-z]*)?[\])}*&?;,]*$/,
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  /^[a-z_$]*(?:pass|password|passwd|pwd|secret|token|key|auth|cred|credential|value|val|str|string|arg|param|var|input|field|user|name|text|data|item|node|test)s?_?\d$/i,
  /^[a-z_$][A-Za-z_-]*[?!;.:*&]{0,2}$/,
  /^[A-Z][A-Za-z-]*[?!;.:*&]{0,2}$/,
  /^[A-Z][A-Z_]*[?!;.:*&]{0,2}$/,
  // The source of a pattern that searches for a secret.
  /\(\?[:=!<]|\[\^|\][+*{?]|\\[bdwsS]|\)[?*+]|\.[*+](?:$|\W)|\{\d{1,4}(?:,\d{0,4})?\}|^\/\^|\|[^|]*\|/,
  /^0x[0-9a-f]{1,16}[,;]?$|^[-+]?[\d.,]+\s?[a-z%]{0,3}$|^[-\d.,:%]{1,5}$|^\d{1,6}\/\d{1,6}$|^@[a-z_]+;?$/i,
);

/** Returns whether an unquoted value refers to a secret; without quotes, `config.password` and `newPassword` do too. */
export function isBareReference(value: string): boolean {
  return isReference(value) || isNamed(value);
}
