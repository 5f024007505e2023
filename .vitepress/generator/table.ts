/** Writes a Markdown table. Cells are Markdown; `cell` escapes text. Columns without any content are left out. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const used = columns.map((_, at) => rows.some((row) => row[at]));
  const line = (cells: readonly string[]) => `| ${cells.filter((_, at) => used[at]).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line), ''].join('\n');
}

/** Escapes plain text for a table cell: it is neither HTML nor a template of Vue. */
export function cell(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll('*', '\\*')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ');
}

/** Code for a table cell. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}
