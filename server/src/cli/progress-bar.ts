/** Shows the progress of a long command on stderr: a bar on a terminal, else one line per part. */

const WIDTH = 30;

export class ProgressBar {
  readonly #total: number;
  readonly #unit: string;
  readonly #isTerminal = process.stderr.isTTY === true;
  #done = 0;
  #part = '';

  constructor({ total, unit }: { total: number; unit: string }) {
    this.#total = total;
    this.#unit = unit;
  }

  begin(part: string): void {
    this.#part = part;
    if (this.#isTerminal) this.#draw();
    else process.stderr.write(`${part} (${this.#done} of ${this.#total} ${this.#unit} done)\n`);
  }

  advance(count: number): void {
    this.#done += count;
    if (this.#isTerminal) this.#draw();
  }

  end(): void {
    if (this.#isTerminal) process.stderr.write('\n');
  }

  #draw(): void {
    const share = this.#total === 0 ? 1 : Math.min(1, this.#done / this.#total);
    const filled = Math.round(share * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    const percent = String(Math.floor(share * 100)).padStart(3);
    process.stderr.write(
      `\r\x1b[K${bar} ${percent} %  ${this.#done} of ${this.#total} ${this.#unit}  ${this.#part}`,
    );
  }
}
