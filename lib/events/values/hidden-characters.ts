/**
 * A pattern (flags `u` or `v`) of characters that are invisible or move their neighbours: control characters except line feed and tab, direction marks,
 * zero-width characters, blanks other than the space, tags, most variation selectors, and halves of surrogate pairs.
 */
export const HIDDEN = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Cs}]`;

/** The same for joiners and variation selectors that are not between pictures. A reader needs the characters before and after them. */
export const HIDDEN_JOINERS = String.raw`\u200c|(?<!\p{Extended_Pictographic})(?!\ufe0f\u20e3)[\ufe0e\ufe0f]|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d`;
