/** What a command of the command line is: a name, a help text, and work that ends with an exit code. */

import type { Config } from '../config.js';

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Names of the arguments, all required. */
  readonly parameters: readonly string[];
  /** Options with a value, all required; their values follow the arguments. */
  readonly options?: readonly { readonly name: string; readonly value: string }[];
  readonly help: string;
  run(args: readonly string[], config: Config): Promise<number>;
}

/** A problem that the user can mend: printed as one line, without a stack. */
export class CommandError extends Error {}
