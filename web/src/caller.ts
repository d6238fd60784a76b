interface Caller {
  role: 'user' | 'operator' | 'admin';
  keyId: string;
  scopes: string[] | null;
}

/** Who is logged in, as the server wrote it into the page. */
export const caller: Caller = readCaller();

function readCaller(): Caller {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="millrace-caller"]');
  return JSON.parse(decodeURIComponent(meta?.content ?? '')) as Caller;
}

/** Whether the key has a scope, such as `documents:write`. Writing includes reading. */
export function mayUse(scope: `${string}:${'read' | 'write'}`): boolean {
  const { scopes } = caller;
  if (scopes === null || scopes.includes(scope)) return true;
  return scope.endsWith(':read') && scopes.includes(scope.replace(/:read$/, ':write'));
}
