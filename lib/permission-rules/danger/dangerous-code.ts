/** Destructive code in the languages that command lines and tools receive inline. */
const CODE: readonly RegExp[] = [
  // Python
  /\bshutil\.rmtree\b|\bos\.(?:remove|unlink|rmdir|removedirs|truncate)\s*\(|\.(?:unlink|rmdir)\(\s*\)/,
  // JavaScript
  /\b(?:unlink|rmdir|truncate)(?:Sync)?\s*\(|\brm(?:Sync)?\s*\(|\bdropDatabase\s*\(/,
  // Perl, Ruby, PHP
  /(?:^|[;{\n]) ?unlink\b|\bFileUtils\.rm|\bFile\.delete\b|\brmtree\b/,
  // MongoDB
  /\.(?:drop|deleteMany|deleteOne|remove|dropIndexes)\s*\(/,
];

const OBJECTS =
  'table|database|schema|index|view|materialized|user|role|column|sequence|trigger|function|type|tablespace|owned|keyspace|collection|extension';
const SQL = new RegExp(
  `(?:^|;) ?(?:drop (?:${OBJECTS})\\b|truncate (?:table )?["\\w.]|delete from\\b|alter table \\S+ drop\\b)`,
  'i',
);

/** Returns the words of code that destroy something. */
export function dangerInCode(code: string): string | undefined {
  const text = code.replace(/[^\S\n]+/g, ' ');
  for (const test of CODE) {
    const found = test.exec(text)?.[0].trim();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the words of SQL that destroy something, at the beginning of a statement. */
export function dangerInSql(sql: string): string | undefined {
  const text = withoutComments(sql).replace(/\s+/g, ' ');
  return SQL.exec(text)?.[0].replace(/^[; ]+/, '');
}

/** Replaces each comment by a blank: `drop/**\/table` is one statement. */
function withoutComments(sql: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = sql.indexOf('/*'); at >= 0; at = sql.indexOf('/*', from)) {
    const end = sql.indexOf('*/', at + 2);
    if (end < 0) break;
    parts.push(sql.slice(from, at));
    from = end + 2;
  }
  return [...parts, sql.slice(from)].join(' ').replace(/--[^\n]*/g, ' ');
}
