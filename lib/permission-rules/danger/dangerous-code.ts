/** What destroys in the languages that command lines and tools are given inline. */
const CODE: readonly RegExp[] = [
  // Python
  /\bshutil\.(?:rmtree|move\b.*\/dev\/null)|\bos\.(?:remove|unlink|rmdir|removedirs|truncate)\s*\(|\.(?:unlink|rmdir)\(\s*\)/,
  // JavaScript
  /\b(?:unlink|rmdir|truncate)(?:Sync)?\s*\(|\brm(?:Sync)?\s*\(|\bdropDatabase\s*\(/,
  // Perl, Ruby, PHP
  /^\s*unlink\b|;\s*unlink\b|\bFileUtils\.rm|\bFile\.delete\b|\brmtree\b/,
  // MongoDB
  /\.(?:drop|deleteMany|deleteOne|remove|dropIndexes)\s*\(/,
];

const SQL = new RegExp(
  [
    String.raw`drop\s+(?:table|database|schema|index|view|materialized|user|role|column|sequence|trigger|function|type|tablespace|owned|keyspace|collection|extension)\b`,
    String.raw`truncate\s+(?:table\s+)?["\w.]`,
    String.raw`delete\s+from\b`,
    String.raw`alter\s+table\s+\S+\s+drop\b`,
  ]
    .map((one) => String.raw`(?:^|;)\s*(?:--[^\n]*\n\s*)*${one}`)
    .join('|'),
  'i',
);

/** The words of a text of code that destroy something. */
export function dangerInCode(code: string): string | undefined {
  for (const test of CODE) {
    const found = test.exec(code)?.[0].trim();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The words of a text of SQL that destroy something: at the beginning of a statement. */
export function dangerInSql(sql: string): string | undefined {
  return SQL.exec(sql)?.[0].replace(/^[;\s]+/, '');
}
