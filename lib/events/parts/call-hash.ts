import { canonicalJson } from '../values/canonical-json.ts';
import { sha256 } from '../values/sha256.ts';
import type { ToolCall } from './tool-call.ts';

/** What an answer to a call has to name: SHA-256, in hexadecimal digits, of the canonical JSON (RFC 8785) of the call as it was shown. */
export function callHash(call: ToolCall): Promise<string> {
  return sha256(canonicalJson(call));
}
