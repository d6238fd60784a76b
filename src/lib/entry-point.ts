import { fileURLToPath } from 'node:url';

export interface EntryPoint {
  path: string;
  /** Node options needed to run the file. */
  execArgv: string[];
}

/**
 * A module next to the caller, to be run as a child process: plain when compiled, through tsx from
 * source.
 */
export function entryPoint(callerUrl: string, name: string): EntryPoint {
  return beside(callerUrl, name, () => import.meta.resolve('tsx'));
}

/** The same for a worker thread, where tsx must be registered explicitly. */
export function threadPoint(callerUrl: string, name: string): EntryPoint {
  return beside(callerUrl, name, () => {
    const register = `import { register } from '${import.meta.resolve('tsx/esm/api')}'; register();`;
    return `data:text/javascript,${encodeURIComponent(register)}`;
  });
}

function beside(callerUrl: string, name: string, loader: () => string): EntryPoint {
  if (!callerUrl.endsWith('.ts'))
    return { path: fileURLToPath(new URL(`./${name}.js`, callerUrl)), execArgv: [] };
  return {
    path: fileURLToPath(new URL(`./${name}.ts`, callerUrl)),
    execArgv: ['--import', loader()],
  };
}
