import { fileURLToPath } from 'node:url';

export interface EntryPoint {
  path: string;
  /** What node needs on its command line to run the file. */
  execArgv: string[];
}

/** A module beside the caller, to be run as a process of its own: compiled as it is, from source through tsx. */
export function entryPoint(callerUrl: string, name: string): EntryPoint {
  return beside(callerUrl, name, () => import.meta.resolve('tsx'));
}

/** The same for a thread, in which tsx does nothing by itself. */
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
