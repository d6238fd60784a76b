import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface EntryPoint {
  path: string;
  /** What node needs on its command line to run the file. */
  execArgv: string[];
}

/** A module beside the caller, to be run as a process of its own: compiled as it is, from source through tsx. */
export function entryPoint(callerUrl: string, name: string): EntryPoint {
  if (!callerUrl.endsWith('.ts')) return { path: fileURLToPath(new URL(`./${name}.js`, callerUrl)), execArgv: [] };
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return { path: fileURLToPath(new URL(`./${name}.ts`, callerUrl)), execArgv: ['--import', tsx] };
}
