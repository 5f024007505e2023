import { verbIn } from './verb-in.ts';

/** Strings, comments, names and marks. A string without an end extends to the end of its line or text, so reading takes linear time. */
const TOKEN = /"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|#[^\n]*|[A-Za-z_]\w*|\.\.\.|[{}():@]/g;

/** Returns the field of a GraphQL mutation that destroys something: `deleteUser` of `mutation { deleteUser(id: 7) { id } }`. */
export function dangerInGraphql(text: string): string | undefined {
  if (!/mutation/i.test(text)) return undefined;
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !/^["#]/.test(token));
  // For each open brace, whether the fields in it are those of a mutation.
  const open: boolean[] = [];
  let isMutation = false;
  let parentheses = 0;
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1] ?? '';
    if (token === '(') parentheses += 1;
    else if (token === ')') parentheses = Math.max(0, parentheses - 1);
    else if (parentheses > 0) continue;
    else if (token === '{') {
      open.push(isMutation);
      isMutation = false;
    } else if (token === '}') open.pop();
    else if (open.length === 0) isMutation = startsMutation(token, before, isMutation);
    else if (open.at(-1) === true) {
      // The fields of `... on Mutation` are fields of the mutation too.
      if (token === '...') isMutation = true;
      else if (/^\w/.test(token) && !/^(?:@|\.\.\.)$/.test(before)) {
        const isOfFragment = before === 'on' && tokens[at - 2] === '...';
        if (!isOfFragment && tokens[at + 1] !== ':' && verbIn(token) !== undefined) return token;
        isMutation = isOfFragment;
      }
    }
  }
  return undefined;
}

function startsMutation(token: string, before: string, isMutation: boolean): boolean {
  if (token === 'mutation') return true;
  if (before === 'on') return token === 'Mutation';
  return /^(?:query|subscription|fragment)$/.test(token) ? false : isMutation;
}
