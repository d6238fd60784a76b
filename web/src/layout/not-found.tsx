import { Link } from '@tanstack/react-router';

export function NotFound() {
  return (
    <section className="note">
      <h1>There is no such page</h1>
      <p>
        Go to <Link to="/documents">Documents</Link> or <Link to="/review">Review</Link>.
      </p>
    </section>
  );
}
