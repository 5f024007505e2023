import type { Sighting } from '../../compile/sighting.ts';
import { isChosenValue } from '../is-chosen-value.ts';
import { isMade } from '../is-made.ts';
import { isEcho } from './is-echo.ts';

/** The verb, a test result, or a name: `Pass it on`, `PASS: TestX`, `{ pass: '..' }`. */
const PASS = /^pass(?![A-Za-z_-])/i;
const ASSIGNED = /^pass["']?(?:\s?[:=]\s?["']|[:=][^\s"'`])/i;
const PAIR = /^[A-Za-z][\w.-]*=/;
/** `$PWD:/src` inserts a folder; `arn:aws:..:secret:Name` names a secret. */
const INSERTED = /\$\{?$/;
const COLON = /^[A-Za-z]+:(?!=)/;
const RESOURCE = /(?:^|[\s"'`(=])[\w*&;./-]+:[\w*:&;./-]*:$/;

/** Returns whether a value follows a word for secrets by coincidence. */
export function isChance(value: string, sighting: Sighting): boolean {
  const { match, line } = sighting;
  const before = line.slice(0, line.length - match.length);
  if (PASS.test(match) && !(ASSIGNED.test(match) ? isChosenValue(value) : isMade(value) && !PAIR.test(value)))
    return true;
  if (COLON.test(match) && (INSERTED.test(before.slice(-2)) || (before.endsWith(':') && RESOURCE.test(before))))
    return true;
  return isEcho(value, sighting);
}
