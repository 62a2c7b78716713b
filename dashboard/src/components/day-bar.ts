/** What a chart with one bar per day shows. */

export interface ChartPart {
  readonly name: string;
  readonly color: string;
}

export interface DayBar {
  readonly day: string;
  /** Heights, in the order of the parts, from the bottom. */
  readonly values: readonly number[];
  /** What to say about each part; null: nothing. */
  readonly texts: readonly (string | null)[];
  /** What to say about the whole bar; null: nothing. */
  readonly total: string | null;
}
