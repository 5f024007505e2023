/** A location in a file. Lines and columns count from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A path in a configuration: keys and indices from the root. */
export type ConfigPath = readonly PropertyKey[];

/** A parsed configuration file: its value, and the location of each part. */
export interface Source {
  /** The file name as given, or a substitute such as `POST /api/hooks/config`. */
  readonly file: string;
  readonly value: unknown;
  /** Returns the location of the value at `path`, or of its key. If it is missing, returns that of the nearest parent. */
  placeOf(path: ConfigPath, part?: 'key' | 'value'): Place;
}
