#!/usr/bin/env node
/** argv → one command. Problems that the user can mend are one line each; everything else is a bug and shows its stack. */

import { backup } from './cli/backup.js';
import { type Command, CommandError } from './cli/command.js';
import { migrate } from './cli/migrate.js';
import { serve } from './cli/serve.js';
import { setPlan } from './cli/set-plan.js';
import { verify } from './cli/verify.js';
import { ConfigError, loadConfig } from './config.js';
import { AppError } from './domain/app-error.js';
import { OpenStoreError } from './store/open-store-error.js';
import { VERSION } from './version.js';

const COMMANDS: readonly Command[] = [serve, migrate, verify, setPlan, backup];

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const [name = serve.name, ...args] = argv;
  if (name === '--help' || name === '-h' || name === 'help') return print(overview());
  if (name === '--version' || name === '-v') return print(`${VERSION}\n`);
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) return fail(`Unknown command "${name}". Try guarded-runs --help`);
  if (args.includes('--help') || args.includes('-h')) return print(helpOf(command));
  if (args.length !== command.parameters.length) return fail(`Usage: ${usageOf(command)}`);
  try {
    return await command.run(args, loadConfig());
  } catch (error) {
    return fail(describe(error));
  }
}

function describe(error: unknown): string {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message;
  if (error instanceof AppError || error instanceof OpenStoreError) return error.message;
  const { code, message, stack, syscall, port, address, path } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (code === 'EADDRINUSE') return `Port ${port} on ${address} is in use. Set PORT to another one.`;
  if (syscall === 'listen') return `Cannot listen on ${address}:${port}: ${code}`;
  if (syscall === 'mkdir') return `Cannot create the data folder ${path}: ${code}`;
  if (code === 'ERR_SQLITE_ERROR') return `Cannot use the database: ${message}`;
  return stack ?? String(error);
}

function usageOf({ name, parameters }: Command): string {
  return ['guarded-runs', name, ...parameters.map((parameter) => `<${parameter}>`)].join(' ');
}

function helpOf(command: Command): string {
  return `Usage: ${usageOf(command)}\n\n${command.help}\n`;
}

function overview(): string {
  const lines = COMMANDS.map((command) => {
    const call = [command.name, ...command.parameters.map((parameter) => `<${parameter}>`)].join(' ');
    return `  ${call.padEnd(30)} ${command.summary}`;
  });
  return `Guarded Runs ${VERSION}: guardrails, budgets and exact cost accounting for AI agent runs.

Usage: guarded-runs <command>

${lines.join('\n')}

guarded-runs <command> --help says more. Configuration is read from the environment: see the README.
`;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}
