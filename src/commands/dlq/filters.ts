import type { Command } from 'commander';
import { type LetterFilters, letterFilters } from '../../domain/letter-filters.ts';
import { keys } from '../../lib/keys.ts';

export type Filters = { json?: boolean } & LetterFilters;

/** One option per filter, named as in the API. */
export function filtered(command: Command): Command {
  for (const name of keys(letterFilters.shape)) {
    const { description = `only this ${name}` } = letterFilters.shape[name];
    command.option(
      `--${name} <${name}>`,
      description.replace(/^./, (first) => first.toLowerCase()),
    );
  }
  return command.option('--json', 'print JSON');
}

export function chosen(options: Filters): LetterFilters {
  return Object.fromEntries(
    keys(letterFilters.shape).flatMap((name) => (options[name] ? [[name, options[name]]] : [])),
  );
}
