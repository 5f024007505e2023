/** A place in a file; both count from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The way to a place in a configuration: keys and indices from the root. */
export type ConfigPath = readonly PropertyKey[];

/** A configuration as it stands in a file: its value, and where each part of it is. */
export interface Source {
  /** The file as it was named, or what stands for it (`POST /api/hooks/config`). */
  readonly file: string;
  readonly value: unknown;
  /** Where the value at `path` begins, or its key; of what is not there, the nearest thing around it. */
  placeOf(path: ConfigPath, part?: 'key' | 'value'): Place;
}
