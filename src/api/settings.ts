/** Limits of the API that operators can change. */
export interface ApiSettings {
  /** Proxies whose X-Forwarded-For is believed: a number of hops, or addresses and networks. */
  trustProxy: number | string[];
  /** Requests per minute of keys that do not set their own; unlimited when absent. */
  requestsPerMinute: number | undefined;
  /** Open event streams: per key, and of this process. */
  streams: { perKey: number; total: number };
}

export const defaultSettings: ApiSettings = {
  trustProxy: 0,
  requestsPerMinute: undefined,
  streams: { perKey: 20, total: 500 },
};
