/** Words in the names of tools and actions that destroy data irreversibly. */
const VERBS =
  /^(?:deletes?|remove|drop|truncate|destroy|purge|wipe|erase|unlink|rm|rmdir|shutdown|reboot|poweroff|fdisk|mkfs|terminate|kill|unpublish|uninstall)$/;
/** `format` is also a property of a text; only these are formatted irreversibly. */
const FORMATTED = /^format (?:disk|drive|volume|partition|device)$/;

/** Returns the verb of a name such as `delete_file`, `deleteUser` or `mcp__github__delete_branch`. */
export function verbIn(name: string): string | undefined {
  const words = wordsOfName(name);
  const verb = words.find((word) => VERBS.test(word));
  return verb ?? words.map((word, at) => `${word} ${words[at + 1]}`).find((two) => FORMATTED.test(two));
}

/** Returns the words of a name, in lower case: `mcp`, `github` and `branch` of `mcp__githubBranch`. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}
