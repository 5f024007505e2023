/** Whether a hook lets the text of a block out as it went in, wherever it cuts it. */
export interface JoinedText {
  /** A piece goes in. */
  heard(text: string): void;
  /** A piece comes out: whether it goes on with what went in. Behind the first that does not, nobody can say. */
  said(text: string): boolean | undefined;
}

export function createJoinedText(): JoinedText {
  /** What went in and has not come out; `undefined` behind a piece that did not fit. */
  let ahead: string | undefined = '';
  return {
    heard(text) {
      if (ahead !== undefined) ahead += text;
    },
    said(text) {
      if (ahead === undefined) return undefined;
      const same = ahead.startsWith(text);
      ahead = same ? ahead.slice(text.length) : undefined;
      return same;
    },
  };
}
