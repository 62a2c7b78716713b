/** Tells the operator how far a long migration is: the service does not answer until it is done. */

const INTERVAL_MS = 2_000;

export class MigrationProgress {
  readonly #name: string;
  readonly #print: (line: string) => void;
  #printedAt = Date.now();

  constructor(name: string, print: (line: string) => void = (line) => void process.stderr.write(line)) {
    this.#name = name;
    this.#print = print;
  }

  /** Prints a line every two seconds: a short migration prints nothing. */
  copied(table: string, done: number, total: number): void {
    const now = Date.now();
    if (now - this.#printedAt < INTERVAL_MS) return;
    this.#printedAt = now;
    const percent = Math.floor((done / total) * 100);
    const of = total.toLocaleString('en-US');
    this.#print(`Migrating the database (${this.#name}): ${table}, ${percent} % of ${of} rows\n`);
  }
}
