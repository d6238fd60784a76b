import { Link, Outlet } from '@tanstack/react-router';
import { readCsrf } from '../api/request.ts';
import { caller, mayUse } from '../caller.ts';

/** Navigation, and the page below it. */
export function Layout() {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <strong className="brand">Millrace</strong>
        <nav aria-label="Pages">
          {mayUse('documents:read') && <Link to="/documents">Documents</Link>}
          {mayUse('review:read') && <Link to="/review">Review</Link>}
          {caller.role !== 'user' && mayUse('queues:read') && <a href="/admin/queues">Queues</a>}
          <a href="/docs">API</a>
        </nav>
        <form method="post" action="/logout">
          <input type="hidden" name="csrf" value={readCsrf()} />
          <button type="submit" className="quiet" title={`Key ${caller.keyId}, ${caller.role}`}>
            Log out
          </button>
        </form>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}
