/** An encoding of text by programs, and its decoding. */
export interface Encoding {
  readonly encode: (text: string) => string;
  readonly decode: (text: string) => string;
}

const hex = (letter: string, digits: number): string => letter.charCodeAt(0).toString(16).padStart(digits, '0');
const each = (text: string, pattern: RegExp, write: (letter: string) => string): string =>
  text.replace(pattern, (letter) => write(letter));
const ASCII = /[\x20-\x7e]/g;
const SIGN = /[^A-Za-z0-9]/g;
const percent = (text: string): string => each(text, /[^A-Za-z0-9_.~-]/gu, encodeURIComponent);
const unpercent = (text: string): string => text.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeURIComponent);
const named: Readonly<Record<string, string>> = { '&': 'amp', '"': 'quot', "'": 'apos', '<': 'lt', '>': 'gt' };
const entity = (letter: string): string => `&${named[letter] ?? `#${letter.charCodeAt(0)}`};`;
const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
/** Like `JSON.parse`, but without errors. */
const unjson = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_, code, short) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (SHORT[short] ?? short),
  );
const json = (text: string): string => JSON.stringify(text).slice(1, -1);

/** By name. Those that end with "throughout" encode each character. */
export const encodings: Readonly<Record<string, Encoding>> = {
  percent: { encode: percent, decode: unpercent },
  'percent in percent': {
    encode: (text) => percent(percent(text)),
    decode: (text) => unpercent(unpercent(text)),
  },
  'percent throughout': { encode: (text) => each(text, ASCII, (letter) => `%${hex(letter, 2)}`), decode: unpercent },
  HTML: {
    encode: (text) => each(text, /[&"'<>/=@]/g, entity),
    decode: (text) =>
      text.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
        code ? String.fromCharCode(code) : Object.keys(named).find((sign) => named[sign] === name)!,
      ),
  },
  JSON: { encode: json, decode: unjson },
  'JSON in JSON': { encode: (text) => json(json(text)), decode: (text) => unjson(unjson(text)) },
  'JSON throughout': {
    encode: (text) => each(text, ASCII, (letter) => `\\u${hex(letter, 4)}`),
    decode: unjson,
  },
  'JSON escapes of punctuation': {
    encode: (text) => each(text, SIGN, (letter) => `\\u${hex(letter, 4)}`),
    decode: unjson,
  },
  'quoted-printable': {
    // A soft line break does not split an escape.
    encode: (text) => text.replaceAll('=', '=3D').replace(/(?:.{75}(?<!=|=3)|.{74}(?<!=)|.{73})(?=\S)/g, '$&=\n'),
    decode: (text) => text.replaceAll('=\n', '').replaceAll('=3D', '='),
  },
  'full width throughout': {
    encode: (text) => each(text, /[\x21-\x7e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    decode: (text) => text.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)),
  },
  'zero-width throughout': {
    encode: (text) => each(text, /[A-Za-z0-9](?=[A-Za-z0-9])/g, (letter) => `${letter}\u200b`),
    decode: (text) => text.replaceAll('\u200b', ''),
  },
};
