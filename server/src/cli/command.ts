/** A command of the command line: a name, a help text, and a function that returns an exit code. */

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

/** An error that the user can fix. It is printed as one line, without a stack. */
export class CommandError extends Error {}
