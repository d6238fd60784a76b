import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface GuardedProcess {
  readonly pid: number;
  /** Settles with the exit code when the process has exited. */
  readonly ended: Promise<number>;
  /** Lines of its standard output; standard error goes to the log file. */
  readonly lines: AsyncIterator<string>;
  stop(): Promise<void>;
}

export interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly stopSignal: 'INT' | 'TERM';
  readonly logFile: string;
  readonly env?: Record<string, string>;
  readonly account?: { uid: number; gid: number } | undefined;
}

/**
 * A shell that runs the command and stops it when the pipe on descriptor 3 closes. Only we hold the
 * other end, so the command ends with this process, even after kill -9, wherever there is a shell.
 */
const guard = `
signal=$1; shift
"$@" 3<&- &
child=$!
echo "$child"
( read -r line <&3; kill -s "$signal" "$child" ) >/dev/null &
watcher=$!
exec >/dev/null 3<&-
wait "$child"; status=$?
kill "$watcher" 2>/dev/null
exit "$status"`;

const patienceMs = 20_000;

export async function startGuarded(options: GuardedCommand): Promise<GuardedProcess> {
  const log = openSync(options.logFile, 'a', 0o600);
  const shell = spawn(
    '/bin/sh',
    ['-c', guard, 'sh', options.stopSignal, options.command, ...options.args],
    {
      // In its own session, so that Ctrl-C reaches only Millrace, which stops its servers in order.
      detached: true,
      cwd: '/',
      stdio: ['ignore', 'pipe', log, 'pipe'],
      ...(options.env && { env: options.env }),
      ...options.account,
    },
  );
  closeSync(log);
  const { stdout, stdio } = shell;
  const lifeline = stdio[3];
  if (!stdout || !lifeline) throw new Error('The guard process was started without its pipes');
  lifeline.on('error', () => {});
  const ended = new Promise<number>((resolve, reject) => {
    shell.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  }).finally(() => lifeline.destroy());
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const pid = Number(await Promise.race([lines.next().then(({ value }) => value), ended]));
  const stop = async () => {
    lifeline.destroy();
    const killer = setTimeout(() => process.kill(pid, 'SIGKILL'), patienceMs);
    await ended.finally(() => clearTimeout(killer));
  };
  return { pid, ended, lines, stop };
}
