/**
 * Shortens the names of required modules in a chunk: `describeThrown.messageOf()` becomes `$1.messageOf()`. Names of functions, which stack traces show,
 * stay. `parse` returns the syntax tree of a chunk.
 */
export function shortNamespaces(code, parse) {
  const uses = new Map();
  collect(parse(code), undefined, uses);
  const names = [...uses].flatMap(([name, { required, places, others }]) =>
    required && !others ? [[name, places]] : [],
  );
  let last = 0;
  const edits = names.flatMap(([name, places]) => {
    let short;
    do short = `$${(last++).toString(36)}`;
    while (uses.has(short));
    return short.length < name.length ? places.map((place) => ({ place, name, short })) : [];
  });
  return edits
    .sort((a, b) => b.place - a.place)
    .reduce((text, { place, name, short }) => text.slice(0, place) + short + text.slice(place + name.length), code);
}

/** Finds where each name is used as `name.field`. A name with `others` uses may be a local variable somewhere, and stays. */
function collect(node, parent, uses) {
  if (node.type === 'Identifier' && !isField(node, parent)) {
    const use = uses.get(node.name) ?? { required: false, others: false, places: [] };
    uses.set(node.name, use);
    use.places.push(node.start);
    if (parent.type === 'VariableDeclarator' && parent.id === node && isRequired(parent.init) && !use.required)
      use.required = true;
    else if (parent.type !== 'MemberExpression') use.others = true;
  }
  for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') collect(child, node, uses);
}

function isRequired(init) {
  return init?.type === 'CallExpression' && ['require', 'lateModule'].includes(init.callee.name);
}

function isField(node, parent) {
  return parent.type === 'MemberExpression' && parent.property === node && !parent.computed;
}
