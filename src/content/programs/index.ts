import { findProgram } from '../../lib/find-program.ts';

/** Programs that are used where they are installed, and what is missing without them. */
export const programs = {
  soffice: {
    package: 'libreoffice',
    purpose: 'text of Office documents that Millrace itself cannot read',
  },
  readpst: { package: 'pst-utils', purpose: 'messages of damaged Outlook mailboxes' },
} as const;
export type ProgramName = keyof typeof programs;

export function locate(name: ProgramName): string | undefined {
  return findProgram(name);
}
