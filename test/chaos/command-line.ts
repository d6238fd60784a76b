import { runCli } from '../kit/cli.ts';

/** Runs commands against a server. One that fails is an error, with what it printed. */
export function commandLine(env: Record<string, string>) {
  return async (...args: string[]) => {
    const ended = await runCli(args, env);
    process.stderr.write(ended.stderr);
    if (ended.code !== 0)
      throw new Error(`millrace ${args.join(' ')} exited with ${ended.code}: ${ended.stdout}`);
    return ended;
  };
}
