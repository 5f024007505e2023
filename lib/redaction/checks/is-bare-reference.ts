import { isReference } from './is-reference.ts';

const CHAIN = /^[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::|->)[A-Za-z_$][\w$]*)+[?!;]?$/;
const TYPE = /^(?:Big)?U?[Ii]nt\d+(?:Array)?$|^[A-Z][A-Za-z]*\d{1,4}(?:[A-Z][a-z]+)+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z_$-]*[?!;.:]?$/;

/** Whether a value without quotes says where a secret is to be found: there `config.password` and `newPassword` do, too. */
export function isBareReference(value: string): boolean {
  return isReference(value) || CHAIN.test(value) || TYPE.test(value) || IDENTIFIER.test(value);
}
