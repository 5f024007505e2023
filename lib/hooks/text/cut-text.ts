/** Returns `text`, or its beginning and end within about `max` characters, with a notice of the omitted number between them. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = Math.ceil(max * 0.7);
  const tail = max - head;
  const end = tail > 0 ? text.slice(-tail) : '';
  return `${text.slice(0, head)} … [${text.length - max} characters omitted] … ${end}`;
}
