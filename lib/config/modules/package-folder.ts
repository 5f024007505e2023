const FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/** Returns the folder of the installed package that contains a file. */
export function packageFolder(file: string): string | undefined {
  return FOLDER.exec(file)?.[0];
}
