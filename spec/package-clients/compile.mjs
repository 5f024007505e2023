/** Compiles `files` with TypeScript, libraries included; what is wrong is thrown. Returns the output. */
export function compile({ node, bin, write }, files, options) {
  const compilerOptions = { target: 'es2022', strict: true, skipLibCheck: false, ...options };
  write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  return node(bin('typescript/bin/tsc'), '-p', 'tsconfig.json');
}
