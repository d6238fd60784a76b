import type { Caller } from '../../db/api-keys.ts';
import { html, page } from './html.ts';

export function loginPage(next: string, problem?: string): string {
  return page(
    'Log in',
    html`<form class="login" method="post" action="/login">
<h1>Millrace</h1>
<p class="muted">Your key starts a session of twelve hours.</p>
${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
<input type="hidden" name="next" value="${next}">
<input name="username" value="millrace" autocomplete="username" hidden>
<label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="current-password" placeholder="mr_…" required autofocus>
<button>Log in</button>
</form>`,
  );
}

export function loggedInPage({ role, keyId }: Caller, csrf: string): string {
  return page(
    'Logged in',
    html`<form class="login" method="post" action="/logout">
<h1>Millrace</h1>
<p>You are logged in with the key <code>mr_${keyId}_…</code> as <strong>${role}</strong>.</p>
<p><a href="/">Console</a> · <a href="/admin/queues">Queues</a> · <a href="/docs">API</a></p>
<input type="hidden" name="csrf" value="${csrf}">
<button>Log out</button>
</form>`,
  );
}
