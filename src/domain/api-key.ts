/** `mr_<key id>_<secret>`: the id finds the row, the secret authenticates. */
export const apiKeyPattern = /^mr_([0-9a-f]{12})_([A-Za-z0-9_-]{32,})$/;
